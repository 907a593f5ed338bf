import { groupedAmount } from '@munshi/web';
import { FilterChips, statusLabel } from '@munshi/web-ui';
import { useMethodName } from '../../method-names.tsx';
import { useMemberName, useMerchantName } from '../../picks.tsx';
import type { OrderFilters } from './filters.ts';
import { texts } from './texts.ts';

/** Each filter of the list that is set. */
export function OrderFilterChips({
  values,
  remove,
}: {
  readonly values: OrderFilters;
  remove(name: keyof OrderFilters): void;
}) {
  const nameOf = useMethodName();
  const merchant = useMerchantName(values.merchantId);
  const member = useMemberName(values.memberId);
  const shown: { readonly [Name in keyof OrderFilters]?: string | undefined } = {
    status: values.status?.map(statusLabel).join(', '),
    stage: values.stage?.join(', '),
    orderType: values.orderType && texts.types[values.orderType],
    walletType: values.walletType?.map(nameOf).join(', '),
    currency: values.currency?.join(', '),
    merchantId: values.merchantId && (merchant ?? '…'),
    memberId: values.memberId && (member ?? '…'),
    from: values.from,
    to: values.to,
    amountFrom: values.amountFrom && groupedAmount(values.amountFrom),
    amountTo: values.amountTo && groupedAmount(values.amountTo),
    due: values.due && texts.due[values.due],
    hasLateClaim: values.hasLateClaim && texts.yesNo[values.hasLateClaim],
    hasFailingWebhook: values.hasFailingWebhook && texts.yesNo[values.hasFailingWebhook],
  };
  return <FilterChips fields={texts.fields} shown={shown} remove={remove} />;
}
