import { PORTAL_BALANCE, PORTAL_MOVEMENTS, PORTAL_MOVEMENTS_CSV } from '@munshi/api';
import {
  Card,
  Loaded,
  useList,
  useMovementTimes,
  useRead,
  WalletMovements,
  WalletSums,
} from '@munshi/web-ui';
import { texts } from './texts.ts';

const WATCH = { watch: ['order', 'approval'] };

/** The balance now, and every movement that led to it. */
export function Movements() {
  const balance = useRead(PORTAL_BALANCE, {}, WATCH);
  const times = useMovementTimes();
  const list = useList(PORTAL_MOVEMENTS, { query: times.query }, WATCH);
  return (
    <>
      <Card title={texts.balance}>
        <Loaded read={balance}>{({ data }) => <WalletSums balance={data} />}</Loaded>
      </Card>
      <WalletMovements list={list} times={times} csvPath={PORTAL_MOVEMENTS_CSV.path} />
    </>
  );
}
