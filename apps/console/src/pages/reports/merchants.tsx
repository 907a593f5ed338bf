import { EXPORT_MERCHANT_REPORT, type MerchantMonthView, REPORT_MERCHANTS } from '@munshi/api';
import { type AsText, isZero, subtractMoney } from '@munshi/web';
import { byText, Card, type Column, CsvLink, DataTable, useList } from '@munshi/web-ui';
import { amountColumn } from './columns.tsx';
import { MonthBar, useReportMonth } from './month.tsx';
import classes from './reports.module.css';

type Row = AsText<MerchantMonthView>;
const LIMIT = 200;

/** As signed: a row adds up to what it closes with. */
const negated = (amount: string) => subtractMoney('0', amount);

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'merchant',
    header: 'Merchant',
    compare: byText(({ merchantName }) => merchantName),
    cell: ({ merchantName }) => merchantName,
    total: (rows) => (rows.length === 1 ? 'Sum of 1 row' : `Sum of ${rows.length} rows`),
  },
  amountColumn({ id: 'opening', header: 'Opening', of: ({ opening }) => opening }),
  amountColumn({ id: 'deposits', header: 'Deposits', of: ({ deposits }) => deposits }),
  amountColumn({ id: 'payouts', header: 'Withdrawals', of: ({ withdrawals }) => withdrawals }),
  amountColumn({ id: 'fees', header: 'Fees', of: ({ fees }) => negated(fees) }),
  amountColumn({
    ...{ id: 'adjustments', header: 'Adjustments', signed: true },
    of: ({ adjustments }) => adjustments,
  }),
  amountColumn({ id: 'frozen', header: 'Frozen', of: ({ frozen }) => negated(frozen) }),
  amountColumn({
    ...{ id: 'closing', header: 'Closing', strong: true },
    of: ({ closing }) => closing,
  }),
  amountColumn({
    ...{ id: 'frozen-closing', header: 'Frozen at the end' },
    of: ({ frozenClosing }) => frozenClosing,
  }),
];

/** Every merchant with what moved its wallet in a month. */
export function MerchantsReport() {
  const chosen = useReportMonth();
  const { month, query } = chosen;
  const list = useList(REPORT_MERCHANTS, { query: { ...query, limit: LIMIT } });
  const isFrozen = list.rows?.some((row) => !isZero(row.frozen) || !isZero(row.frozenClosing));
  return (
    <Card>
      <MonthBar chosen={chosen}>
        <CsvLink
          path={EXPORT_MERCHANT_REPORT.path}
          query={query}
          label="Save the merchants of this month as a CSV file"
        />
      </MonthBar>
      <p className={classes['hint']}>
        A merchant opens as its statement of the month. Opening, deposits, withdrawals, fees,
        adjustments and what was frozen add up to closing.
      </p>
      <DataTable
        label="Merchants"
        list={list}
        hidden={new Set(isFrozen === true ? [] : ['frozen', 'frozen-closing'])}
        rowId={({ merchantId }) => merchantId}
        rowLabel={({ merchantName }) => merchantName}
        href={({ merchantId }) => `/merchants/${merchantId}/statements/${month}`}
        empty={<p>There is no merchant yet.</p>}
        columns={COLUMNS}
      />
    </Card>
  );
}
