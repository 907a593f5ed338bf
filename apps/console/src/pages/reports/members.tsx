import { EXPORT_MEMBER_REPORT, type MemberMonthView, REPORT_MEMBERS } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { byText, Card, type Column, CsvLink, DataTable, useList } from '@munshi/web-ui';
import { amountColumn } from './columns.tsx';
import { MonthBar, useReportMonth } from './month.tsx';
import classes from './reports.module.css';

type Row = AsText<MemberMonthView>;
const LIMIT = 200;

const AMOUNTS = [
  ['opening', 'Opening'],
  ['deposits', 'Deposits'],
  ['withdrawals', 'Payouts'],
  ['adjustments', 'Adjustments'],
] as const satisfies readonly (readonly [keyof Row, string])[];

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'member',
    header: 'Member',
    compare: byText(({ memberName }) => memberName),
    cell: ({ memberName }) => memberName,
    total: (rows) => (rows.length === 1 ? 'Sum of 1 row' : `Sum of ${rows.length} rows`),
  },
  ...AMOUNTS.map(([id, header]) =>
    amountColumn<Row>({ id, header, of: (row) => row[id], signed: id !== 'opening' }),
  ),
  amountColumn({
    ...{ id: 'closing', header: 'Closing', strong: true },
    of: ({ closing }) => closing,
  }),
];

/** Every member with what moved their float in a month. */
export function MembersReport() {
  const chosen = useReportMonth();
  const { query } = chosen;
  const list = useList(REPORT_MEMBERS, { query: { ...query, limit: LIMIT } });
  return (
    <Card>
      <MonthBar chosen={chosen}>
        <CsvLink
          path={EXPORT_MEMBER_REPORT.path}
          query={query}
          label="Save the members of this month as a CSV file"
        />
      </MonthBar>
      <p className={classes['hint']}>
        A member opens as what moved their float. Opening, deposits, payouts and adjustments add up
        to closing.
      </p>
      <DataTable
        label="Members"
        list={list}
        rowId={({ memberId }) => memberId}
        rowLabel={({ memberName }) => memberName}
        href={({ memberId }) => `/members/${memberId}/float`}
        empty={<p>There is no member yet.</p>}
        columns={COLUMNS}
      />
    </Card>
  );
}
