import { TextInput } from '@mantine/core';
import { PORTAL_EXPORT_MOVEMENTS, PORTAL_LIST_MOVEMENTS, PORTAL_READ_BALANCE } from '@munshi/api';
import { localTime } from '@munshi/web';
import {
  Card,
  Loaded,
  useList,
  useMovementTimes,
  useRead,
  WalletMovements,
  WalletSums,
} from '@munshi/web-ui';
import { useState } from 'react';
import { useSession } from '../../session.tsx';

const WATCH = { watch: ['wallet'] };

/** The balance, now or at any instant, and every movement that led to it. */
export function Movements() {
  const [typed, setTyped] = useState('');
  const { timeZone } = useSession().merchant;
  const at = localTime(typed, timeZone);
  const balance = useRead(PORTAL_READ_BALANCE, { query: at === undefined ? {} : { at } }, WATCH);
  const times = useMovementTimes();
  const list = useList(PORTAL_LIST_MOVEMENTS, { query: times.query }, WATCH);
  return (
    <>
      <Card
        title="Balance"
        actions={
          <TextInput
            type="datetime-local"
            size="xs"
            label="As it was at"
            title={`Date and time in ${timeZone}. Leave it empty for now.`}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        }
      >
        <Loaded read={balance}>{({ data }) => <WalletSums balance={data} />}</Loaded>
      </Card>
      <WalletMovements
        list={list}
        times={times}
        timeZone={timeZone}
        csvPath={PORTAL_EXPORT_MOVEMENTS.path}
      />
    </>
  );
}
