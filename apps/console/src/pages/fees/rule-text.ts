import type { FeeRuleView } from '@munshi/api';
import { type AsText, groupedAmount } from '@munshi/web';

const span = (from: string | null, to: string | null) =>
  from === null
    ? to === null
      ? 'any amount'
      : `below ${to}`
    : to === null
      ? `from ${from}`
      : `${from} to ${to}`;

export type Rule = AsText<FeeRuleView>;

/** `1.5 % + 10, at least 5`. */
export function feeText({
  percent,
  fixed,
  minimum,
  maximum,
}: Pick<Rule, 'percent' | 'fixed' | 'minimum' | 'maximum'>): string {
  const parts = [
    ...(/^0(\.0*)?$/.test(percent) ? [] : [`${percent}\u00a0%`]),
    ...(/^0(\.0*)?$/.test(fixed) ? [] : [groupedAmount(fixed)]),
  ];
  const limits = [
    ...(minimum === null ? [] : [`at least ${groupedAmount(minimum)}`]),
    ...(maximum === null ? [] : [`at most ${groupedAmount(maximum)}`]),
  ];
  return [parts.length === 0 ? '0' : parts.join(' + '), ...limits].join(', ');
}

export const bandText = ({ fromAmount, toAmount }: Pick<Rule, 'fromAmount' | 'toAmount'>) =>
  span(
    fromAmount === null ? null : groupedAmount(fromAmount),
    toAmount === null ? null : groupedAmount(toAmount),
  );
