import { ActionIcon } from '@mantine/core';
import { groupedAmount } from '@munshi/web';
import { statusLabel } from '@munshi/web-ui';
import X from 'lucide-react/icons/x';
import { useMethodName } from '../../method-names.tsx';
import { useMemberName, useMerchantName } from '../../picks.tsx';
import type { OrderFilters } from './filters.ts';
import classes from './orders.module.css';
import { texts } from './texts.ts';

/** Each filter that is set, to be taken away. The search stands in its box. */
export function FilterChips({
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
  return Object.entries(shown).map(([name, value]) => {
    if (value === undefined) return null;
    const field = texts.fields[name as keyof OrderFilters];
    return (
      <span key={name} className={classes['chip']}>
        {field}: <b>{value}</b>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          radius="xl"
          aria-label={texts.remove(`${field}: ${value}`)}
          onClick={() => remove(name as keyof OrderFilters)}
        >
          <X size={12} aria-hidden />
        </ActionIcon>
      </span>
    );
  });
}
