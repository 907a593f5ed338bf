import { type FeeRuleView, LIST_FEE_RULES } from '@munshi/api';
import { type AsText, groupedAmount } from '@munshi/web';
import { Card, type Column, DataTable, useList, When } from '@munshi/web-ui';
import { useMethodName } from '../../method-names.tsx';
import classes from './merchant.module.css';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

type Rule = AsText<FeeRuleView>;

const bandOf = ({ fromAmount, toAmount }: Rule): string => {
  const parts = [
    fromAmount === null ? '' : texts.from(groupedAmount(fromAmount)),
    toAmount === null ? '' : texts.below(groupedAmount(toAmount)),
  ].filter((part) => part !== '');
  return parts.length === 0 ? texts.allAmounts : parts.join(', ');
};
const limitsOf = ({ minimum, maximum }: Rule): string =>
  [minimum, maximum].map((limit) => (limit === null ? '–' : groupedAmount(limit))).join(' / ');

/** The merchant's own fee rules; they are set in Fees and rates. */
export function FeesTab({ merchant: { merchantId } }: TabProps) {
  const nameOf = useMethodName();
  const list = useList(LIST_FEE_RULES, { query: { merchantId } }, { watch: ['setting'] });
  const columns: readonly Column<Rule>[] = [
    { id: 'type', header: texts.type, cell: ({ orderType }) => texts.types[orderType] },
    { id: 'method', header: texts.method, cell: ({ walletType }) => nameOf(walletType) },
    {
      id: 'fee',
      header: texts.fee,
      align: 'end',
      cell: ({ fixed, percent }) => (
        <span className="number">{texts.feeText(groupedAmount(fixed), percent)}</span>
      ),
    },
    {
      id: 'limits',
      header: texts.limits,
      align: 'end',
      cell: (rule) => <span className="number">{limitsOf(rule)}</span>,
    },
    { id: 'band', header: texts.band, cell: bandOf },
    { id: 'since', header: texts.since, cell: ({ validFrom }) => <When at={validFrom} /> },
  ];
  return (
    <Card>
      <p className={classes['hint']}>{texts.feesHint}</p>
      <DataTable
        label={texts.tabs.fees}
        list={list}
        rowId={({ feeRuleId }) => feeRuleId}
        rowLabel={({ walletType }) => nameOf(walletType)}
        empty={<p>{texts.noFees}</p>}
        columns={columns}
      />
    </Card>
  );
}
