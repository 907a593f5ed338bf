import { Button, MultiSelect, Popover, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CURRENCIES, ORDER_TYPES, STATUSES, WALLET_TYPES } from '@munshi/api';
import { readAmount } from '@munshi/web';
import ListFilter from 'lucide-react/icons/list-filter';
import { type ReactNode, useState } from 'react';
import { statusLabel } from '../order-status.tsx';
import type { Filters } from '../use-filters.ts';
import type { ORDER_FILTERS } from './choices.ts';
import classes from './orders.module.css';

/** The filters of every list of orders by their labels. */
export const ORDER_FIELDS = {
  search: 'Search',
  status: 'Status',
  stage: 'Stage',
  orderType: 'Type',
  walletType: 'Method',
  currency: 'Currency',
  from: 'Created from',
  to: 'Created until',
  amountFrom: 'Amount from',
  amountTo: 'Amount to',
};

const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
export const labelled = <Value extends string>(
  values: readonly Value[],
  label: (value: Value) => string,
) => values.map((value) => ({ value, label: label(value) }));

/** Every filter, behind one button. */
export function FilterPanel({ children }: { readonly children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  return (
    <Popover
      opened={opened}
      onChange={(next) => !next && close()}
      position="bottom-end"
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<ListFilter size={16} aria-hidden />}
          onClick={toggle}
          aria-expanded={opened}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filter orders">
        <div className={classes['panel']}>
          {children}
          <div className={classes['panel-end']}>
            <Button onClick={close}>Done</Button>
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

type OfEveryOrder = Pick<Filters<typeof ORDER_FILTERS>, 'values' | 'set'>;

/** Their lists open inside of the panel, which keeps the focus. */
export const INSIDE = { comboboxProps: { withinPortal: false } } as const;

/** What kind of order. */
export function KindFilters({
  values,
  set,
  methodName,
}: OfEveryOrder & { methodName(method: string): string }) {
  const several = (name: 'status' | 'walletType' | 'currency') => ({
    label: ORDER_FIELDS[name],
    value: [...(values[name] ?? [])] as string[],
    clearable: true,
    onChange: (chosen: string[]) =>
      set({ [name]: chosen.length === 0 ? undefined : chosen } as never),
    ...INSIDE,
  });
  return (
    <>
      <MultiSelect {...several('status')} data={labelled(STATUSES, statusLabel)} />
      <Select
        label="Type"
        data={[...ORDER_TYPES]}
        value={values.orderType ?? null}
        clearable
        onChange={(orderType) => set({ orderType: (orderType ?? undefined) as never })}
        {...INSIDE}
      />
      <MultiSelect {...several('walletType')} data={labelled(WALLET_TYPES, methodName)} />
      <MultiSelect {...several('currency')} data={plain(CURRENCIES)} />
    </>
  );
}

/** When it was made, and of how much. */
export function RangeFilters({ values, set }: OfEveryOrder) {
  const day = (name: 'from' | 'to') => (
    <TextInput
      type="date"
      label={ORDER_FIELDS[name]}
      value={values[name] ?? ''}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value || undefined })}
    />
  );
  return (
    <>
      {day('from')}
      {day('to')}
      <AmountInput name="amountFrom" values={values} set={set} />
      <AmountInput name="amountTo" values={values} set={set} />
    </>
  );
}

/** What is typed is a filter once it is an amount. */
function AmountInput({
  name,
  values,
  set,
}: OfEveryOrder & { readonly name: 'amountFrom' | 'amountTo' }) {
  const [typed, setTyped] = useState(values[name] ?? '');
  return (
    <TextInput
      label={ORDER_FIELDS[name]}
      inputMode="decimal"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const amount = readAmount(currentTarget.value);
        if (amount !== undefined || currentTarget.value === '') set({ [name]: amount });
      }}
    />
  );
}
