import { EXPORT_WALLET_MOVEMENTS, LIST_WALLET_MOVEMENTS } from '@munshi/api';
import { useList, useMovementTimes, WalletMovements } from '@munshi/web-ui';
import type { TabProps } from './shown.ts';

/** The statement of a merchant's wallet. */
export function Movements({ merchant: { merchantId, timeZone } }: Pick<TabProps, 'merchant'>) {
  const times = useMovementTimes();
  const list = useList(
    LIST_WALLET_MOVEMENTS,
    { params: { merchantId }, query: times.query },
    { watch: ['order', 'approval'] },
  );
  const csvPath = EXPORT_WALLET_MOVEMENTS.path.replace(':merchantId', merchantId);
  return <WalletMovements list={list} times={times} timeZone={timeZone} csvPath={csvPath} />;
}
