import type { PortalReceiverView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import type { List } from '../api.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { Chip } from '../status-chip.tsx';
import { When } from '../when.tsx';
import classes from './deliveries.module.css';
import { texts } from './receiver-texts.ts';

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
      empty={<p>{texts.none}</p>}
      columns={[...(host === undefined ? [] : [host]), ...more, ...others]}
    />
  );
}

const COLUMNS: readonly Column<Receiver>[] = [
  { id: 'host', header: texts.receiver, cell: ({ host }) => host },
  {
    id: 'health',
    header: texts.health,
    cell: (receiver) => <Health receiver={receiver} />,
  },
  {
    id: 'rate',
    header: texts.succeeded,
    align: 'end',
    cell: ({ lastDay }) =>
      lastDay === null ? null : lastDay.attempts === 0 ? (
        <span className="quiet">{texts.nothingSent}</span>
      ) : (
        texts.rate(Math.floor((100 * lastDay.succeeded) / lastDay.attempts), lastDay.attempts)
      ),
  },
  {
    id: 'median',
    header: texts.median,
    align: 'end',
    cell: ({ lastDay }) => milliseconds(lastDay?.medianMs),
  },
  {
    id: 'p95',
    header: texts.p95,
    align: 'end',
    cell: ({ lastDay }) => milliseconds(lastDay?.p95Ms),
  },
  { id: 'pending', header: texts.waiting, align: 'end', cell: ({ pending }) => pending },
  { id: 'abandoned', header: texts.given, align: 'end', cell: ({ abandoned }) => abandoned },
  {
    id: 'since',
    header: texts.failingSince,
    cell: ({ failingSince }) => (failingSince === null ? null : <When at={failingSince} />),
  },
  {
    id: 'error',
    header: texts.lastError,
    cell: ({ lastError }) =>
      lastError === null ? null : (
        <span className={`quiet ${classes['error']}`} title={lastError}>
          {lastError}
        </span>
      ),
  },
];

function Health({ receiver }: { readonly receiver: Receiver }) {
  if (receiver.status === 'failing') return <Chip tone="failed" label={texts.failing} />;
  return receiver.consecutiveFailures > 0 ? (
    <Chip tone="needed" label={texts.lastFailed} />
  ) : (
    <Chip tone="done" label={texts.healthy} />
  );
}

const milliseconds = (ms: number | null | undefined) =>
  ms === null || ms === undefined ? null : texts.milliseconds(ms);
