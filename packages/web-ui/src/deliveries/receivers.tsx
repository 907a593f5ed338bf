import type { PortalReceiverView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import type { List } from '../api.tsx';
import { Cut } from '../cut.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { byNumber, byText, byTime } from '../sorted.ts';
import { Chip } from '../status-chip.tsx';
import { When } from '../when.tsx';

type Receiver = AsText<PortalReceiverView>;

interface ReceiversProps<Row extends Receiver> {
  readonly label: string;
  readonly list: List<Row>;
  rowId(row: Row): string;
  /** After the host, such as whose it is. */
  readonly more?: readonly Column<Row>[];
  onOpen(row: Row): void;
}

/** How the receivers of webhooks do: those that fail first. */
export function Receivers<Row extends Receiver>(props: ReceiversProps<Row>) {
  const { more = [], ...table } = props;
  const [host, ...others] = COLUMNS;
  return (
    <DataTable
      {...table}
      rowLabel={(row) => row.host}
      empty={<p>Nothing has been sent yet. Merchants are told when an order ends.</p>}
      columns={[...(host === undefined ? [] : [host]), ...more, ...others]}
    />
  );
}

const COLUMNS: readonly Column<Receiver>[] = [
  { id: 'host', header: 'Receiver', cell: ({ host }) => host, compare: byText(({ host }) => host) },
  {
    id: 'health',
    header: 'Health',
    cell: (receiver) => <ReceiverHealth receiver={receiver} />,
  },
  {
    id: 'rate',
    header: 'Succeeded, 24 h',
    align: 'end',
    cell: ({ lastDay }) =>
      lastDay === null ? null : lastDay.attempts === 0 ? (
        <span className="quiet">Nothing sent</span>
      ) : (
        `${Math.floor((100 * lastDay.succeeded) / lastDay.attempts)} % of ${lastDay.attempts.toLocaleString('en')}`
      ),
  },
  {
    id: 'median',
    header: 'Median',
    align: 'end',
    compare: byNumber(({ lastDay }) => lastDay?.medianMs ?? null),
    cell: ({ lastDay }) => milliseconds(lastDay?.medianMs),
  },
  {
    id: 'p95',
    header: 'p95',
    align: 'end',
    compare: byNumber(({ lastDay }) => lastDay?.p95Ms ?? null),
    cell: ({ lastDay }) => milliseconds(lastDay?.p95Ms),
  },
  {
    id: 'pending',
    header: 'Waiting',
    align: 'end',
    compare: byNumber(({ pending }) => pending),
    cell: ({ pending }) => pending,
  },
  {
    id: 'abandoned',
    header: 'Given up',
    align: 'end',
    compare: byNumber(({ abandoned }) => abandoned),
    cell: ({ abandoned }) => abandoned,
  },
  {
    id: 'since',
    header: 'Failing since',
    compare: byTime(({ failingSince }) => failingSince),
    cell: ({ failingSince }) => (failingSince === null ? null : <When at={failingSince} />),
  },
  {
    id: 'error',
    header: 'Last error',
    cell: ({ lastError }) =>
      lastError === null ? null : (
        <span className="quiet">
          <Cut>{lastError}</Cut>
        </span>
      ),
  },
];

export function ReceiverHealth({
  receiver,
}: {
  readonly receiver: Pick<Receiver, 'status' | 'consecutiveFailures'>;
}) {
  if (receiver.status === 'failing') return <Chip tone="failed" label="Failing" />;
  return receiver.consecutiveFailures > 0 ? (
    <Chip tone="needed" label="Last attempt failed" />
  ) : (
    <Chip tone="done" label="Healthy" />
  );
}

const milliseconds = (ms: number | null | undefined) =>
  ms === null || ms === undefined ? null : `${ms.toLocaleString('en')}\u00a0ms`;
