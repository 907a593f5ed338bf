import { EXPORT_MEMBER_REPORT, type MemberMonthView, REPORT_MEMBERS } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Card, type Column, CsvLink, DataTable, useList } from '@munshi/web-ui';
import { amountColumn } from './columns.tsx';
import { MonthBar, useReportMonth } from './month.tsx';
import classes from './reports.module.css';
import { texts } from './texts.ts';

type Row = AsText<MemberMonthView>;
const LIMIT = 200;

const AMOUNTS = [
  ['opening', texts.opening],
  ['deposits', texts.deposits],
  ['withdrawals', texts.payouts],
  ['adjustments', texts.adjustments],
] as const satisfies readonly (readonly [keyof Row, string])[];

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'member',
    header: texts.member,
    cell: ({ memberName }) => memberName,
    total: (rows) => texts.sumOf(rows.length),
  },
  ...AMOUNTS.map(([id, header]) =>
    amountColumn<Row>({ id, header, of: (row) => row[id], signed: id !== 'opening' }),
  ),
  amountColumn({
    ...{ id: 'closing', header: texts.closing, strong: true },
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
      <MonthBar chosen={chosen} zoneLabel={texts.walletZone}>
        <CsvLink path={EXPORT_MEMBER_REPORT.path} query={query} label={texts.membersCsv} />
      </MonthBar>
      <p className={classes['hint']}>{texts.membersHint}</p>
      <DataTable
        label={texts.tabs.members}
        list={list}
        rowId={({ memberId }) => memberId}
        rowLabel={({ memberName }) => memberName}
        href={({ memberId }) => `/members/${memberId}/float`}
        empty={<p>{texts.noMembers}</p>}
        columns={COLUMNS}
      />
    </Card>
  );
}
