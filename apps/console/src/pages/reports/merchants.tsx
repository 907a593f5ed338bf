import { EXPORT_MERCHANT_REPORT, type MerchantMonthView, REPORT_MERCHANTS } from '@munshi/api';
import { type AsText, isZero, subtractMoney } from '@munshi/web';
import { Card, type Column, CsvLink, DataTable, useList } from '@munshi/web-ui';
import { amountColumn } from './columns.tsx';
import { MonthBar, useReportMonth } from './month.tsx';
import classes from './reports.module.css';
import { texts } from './texts.ts';

type Row = AsText<MerchantMonthView>;
const LIMIT = 200;

/** As signed: a row adds up to what it closes with. */
const negated = (amount: string) => subtractMoney('0', amount);

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'merchant',
    header: texts.merchant,
    cell: ({ merchantName }) => merchantName,
    total: (rows) => texts.sumOf(rows.length),
  },
  amountColumn({ id: 'opening', header: texts.opening, of: ({ opening }) => opening }),
  amountColumn({ id: 'deposits', header: texts.deposits, of: ({ deposits }) => deposits }),
  amountColumn({ id: 'payouts', header: texts.withdrawals, of: ({ withdrawals }) => withdrawals }),
  amountColumn({ id: 'fees', header: texts.fees, of: ({ fees }) => negated(fees) }),
  amountColumn({
    ...{ id: 'adjustments', header: texts.adjustments, signed: true },
    of: ({ adjustments }) => adjustments,
  }),
  amountColumn({ id: 'frozen', header: texts.frozen, of: ({ frozen }) => negated(frozen) }),
  amountColumn({
    ...{ id: 'closing', header: texts.closing, strong: true },
    of: ({ closing }) => closing,
  }),
  amountColumn({
    ...{ id: 'frozen-closing', header: texts.frozenClosing },
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
      <MonthBar chosen={chosen} zoneLabel={texts.ownZones}>
        <CsvLink path={EXPORT_MERCHANT_REPORT.path} query={query} label={texts.merchantsCsv} />
      </MonthBar>
      <p className={classes['hint']}>{texts.merchantsHint}</p>
      <DataTable
        label={texts.tabs.merchants}
        list={list}
        hidden={new Set(isFrozen === true ? [] : ['frozen', 'frozen-closing'])}
        rowId={({ merchantId }) => merchantId}
        rowLabel={({ merchantName }) => merchantName}
        href={({ merchantId }) => `/merchants/${merchantId}/statements/${month}`}
        empty={<p>{texts.noMerchants}</p>}
        columns={COLUMNS}
      />
    </Card>
  );
}
