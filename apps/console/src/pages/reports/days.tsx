import { Select } from '@mantine/core';
import {
  BEGIN_CLOSING,
  LIST_CLOSINGS,
  type ListedClosingView,
  type NextClosingView,
  PREVIEW_CLOSING,
} from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  ActionButton,
  Card,
  type Column,
  DataTable,
  Effect,
  EffectDialog,
  Effects,
  Loaded,
  Money,
  useList,
  useRead,
  useWrite,
} from '@munshi/web-ui';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { may, useSession } from '../../session.tsx';
import { Difference } from '../closing/difference.tsx';
import { dayEndText, periodText, timeIn } from '../closing/period.ts';
import { ClosingStatus } from '../closing/status.tsx';
import classes from './reports.module.css';

type Row = AsText<ListedClosingView>;
type Next = AsText<NextClosingView>;
/** Writes of closings are announced as changes of settings. */
const WATCH = { watch: ['setting'] } as const;
const LIMIT = 50;

const amount = (id: keyof NonNullable<Row['signed']>, header: string): Column<Row> => ({
  ...{ id, header, align: 'end', isChief: id === 'wallets' },
  cell: ({ signed }) => (signed === null ? null : <Money amount={signed[id]} aligned />),
});

const COLUMNS: readonly Column<Row>[] = [
  { id: 'period', header: 'Day or shift', cell: (row) => periodText(row) },
  { id: 'status', header: 'Status', cell: (row) => <ClosingStatus closing={row} /> },
  {
    ...{ id: 'counted', header: 'Counted by', isChief: false },
    cell: ({ countedByName }) => countedByName,
  },
  {
    ...{ id: 'decided', header: 'Signed by', isChief: false },
    cell: ({ status, decidedByName }) => (status === 'signed' ? decidedByName : null),
  },
  amount('wallets', 'Wallets'),
  amount('fees', 'Fees'),
  amount('floats', 'Floats'),
  {
    ...{ id: 'difference', header: 'Floats counted', isChief: true },
    cell: ({ signed }) => (signed === null ? null : <Difference amount={signed.difference} />),
  },
];

/** Days and shifts that are closed, and the one that runs. */
export function Days() {
  const { operator } = useSession();
  const list = useList(LIST_CLOSINGS, { query: { limit: LIMIT } }, WATCH);
  const next = useRead(PREVIEW_CLOSING, { query: {} }, { ...WATCH, changesWithTime: true });
  const [isClosing, setClosing] = useState(false);
  const open = list.rows?.find(({ status }) => status === 'open');
  const [, go] = useLocation();
  return (
    <>
      <Card
        title="Not closed yet"
        actions={
          !may(operator, 'decide') ? null : open === undefined ? (
            <ActionButton letter="c" onClick={() => setClosing(true)}>
              Close a day
            </ActionButton>
          ) : (
            <ActionButton letter="c" onClick={() => go(`/closings/${open.closingId}`)}>
              Open the closing
            </ActionButton>
          )
        }
      >
        <Loaded read={next} rows={2}>
          {({ data }) => <Running next={data} />}
        </Loaded>
      </Card>
      <Card title="Closed days">
        <DataTable
          label="Closed days"
          list={list}
          rowId={({ closingId }) => closingId}
          rowLabel={(row) => periodText(row)}
          href={({ closingId }) => `/closings/${closingId}`}
          empty={<p>No day was closed yet.</p>}
          columns={COLUMNS}
        />
      </Card>
      {isClosing && next.data !== undefined ? (
        <CloseDialog next={next.data.data} onClose={() => setClosing(false)} />
      ) : null}
    </>
  );
}

function Running({ next: { from, timeZone, sums } }: { readonly next: Next }) {
  return (
    <p className={classes['hint']}>
      Since {timeIn(from, timeZone)}: in <Money amount={sums.merchants.deposits} currency="PKR" />,
      out <Money amount={sums.merchants.withdrawals} currency="PKR" />, fees{' '}
      <Money amount={sums.merchants.fees} currency="PKR" />. Members’ floats hold{' '}
      <Money amount={sums.members.closing} currency="PKR" />.
    </p>
  );
}

const NOW = 'now';

function CloseDialog({ next, onClose }: { readonly next: Next; onClose(): void }) {
  const { dayEnds, timeZone } = next;
  const { send } = useWrite(BEGIN_CLOSING);
  const [, go] = useLocation();
  const [to, setTo] = useState<string>(dayEnds[0] ?? NOW);
  const end = to === NOW ? {} : { to };
  const read = useRead(PREVIEW_CLOSING, { query: end }, WATCH);
  return (
    <EffectDialog
      title="Close a day"
      button="Begin to count"
      onClose={onClose}
      onSend={async () => {
        const { data } = await send({ body: end });
        go(`/closings/${data.closingId}`);
      }}
    >
      <Select
        data-autofocus
        label="It ends"
        allowDeselect={false}
        data={[
          { value: NOW, label: 'Now, for a shift' },
          ...dayEnds.map((at) => ({ value: at, label: dayEndText(at, timeZone) })),
        ]}
        value={to}
        onChange={(chosen) => setTo(chosen ?? NOW)}
      />
      <Loaded read={read} rows={4}>
        {({ data }) => <Ending next={data} />}
      </Loaded>
      <p>
        From then on nothing is posted into it. You count the members’ floats, another operator
        signs.
      </p>
    </EffectDialog>
  );
}

/** The period that would be closed, which begins where the last one ended. */
function Ending({ next, next: { sums } }: { readonly next: Next }) {
  const amounts = [
    ['In', sums.merchants.deposits],
    ['Out', sums.merchants.withdrawals],
    ['Fees', sums.merchants.fees],
    ['Members’ floats', sums.members.closing],
  ] as const;
  return (
    <Effects label={periodText(next)}>
      {amounts.map(([what, amount]) => (
        <Effect key={what} what={what} after={<Money amount={amount} currency="PKR" />} />
      ))}
    </Effects>
  );
}
