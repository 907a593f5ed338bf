import { LIST_WALLET_MOVEMENTS, WALLET_MOVEMENTS_CSV } from '@munshi/api';
import { useList, useMovementTimes, WalletMovements } from '@munshi/web-ui';

/** The statement of a merchant's wallet. */
export function Movements({ merchantId }: { readonly merchantId: string }) {
  const times = useMovementTimes();
  const list = useList(
    LIST_WALLET_MOVEMENTS,
    { params: { merchantId }, query: times.query },
    { watch: ['order', 'approval'] },
  );
  const csvPath = WALLET_MOVEMENTS_CSV.path.replace(':merchantId', merchantId);
  return <WalletMovements list={list} times={times} csvPath={csvPath} />;
}
