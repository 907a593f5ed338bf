import { type FeeRuleView, LIST_FEE_RULES } from '@munshi/api';
import { type AsText, groupedAmount } from '@munshi/web';
import { Card, type Column, DataTable, useList, When } from '@munshi/web-ui';
import { useMethodName } from '../../method-names.ts';
import classes from './merchant.module.css';
import type { TabProps } from './shown.ts';

const feeText = (fixed: string, percent: string) =>
  fixed === '0' ? `${percent} %` : percent === '0' ? fixed : `${fixed} + ${percent} %`;

type Rule = AsText<FeeRuleView>;

const bandOf = ({ fromAmount, toAmount }: Rule): string => {
  const parts = [
    fromAmount === null ? '' : `from ${groupedAmount(fromAmount)}`,
    toAmount === null ? '' : `below ${groupedAmount(toAmount)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'All' : parts.join(', ');
};
const limitsOf = ({ minimum, maximum }: Rule): string =>
  [minimum, maximum].map((limit) => (limit === null ? '–' : groupedAmount(limit))).join(' / ');

/** The merchant's own fee rules; they are set in Fees and rates. */
export function Fees({ merchant: { merchantId } }: TabProps) {
  const nameOf = useMethodName();
  const list = useList(LIST_FEE_RULES, { query: { merchantId } }, { watch: ['setting'] });
  const columns: readonly Column<Rule>[] = [
    { id: 'type', header: 'Type', cell: ({ orderType }) => orderType },
    { id: 'method', header: 'Method', cell: ({ walletType }) => nameOf(walletType) },
    {
      id: 'fee',
      header: 'Fee',
      align: 'end',
      cell: ({ fixed, percent }) => (
        <span className="number">{feeText(groupedAmount(fixed), percent)}</span>
      ),
    },
    {
      id: 'limits',
      header: 'At least, at most',
      align: 'end',
      cell: (rule) => <span className="number">{limitsOf(rule)}</span>,
    },
    { id: 'band', header: 'Amounts', cell: bandOf },
    { id: 'since', header: 'Since', cell: ({ validFrom }) => <When at={validFrom} /> },
  ];
  return (
    <Card>
      <p className={classes['hint']}>The platform’s rules apply where there is no rule here.</p>
      <DataTable
        label="Fees"
        list={list}
        rowId={({ feeRuleId }) => feeRuleId}
        rowLabel={({ walletType }) => nameOf(walletType)}
        empty={<p>No rule of its own: the platform’s rules apply.</p>}
        columns={columns}
      />
    </Card>
  );
}
