import { Button, MultiSelect, Popover, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { readAmount } from '@munshi/web';
import { type Filters, statusLabel } from '@munshi/web-ui';
import ListFilter from 'lucide-react/icons/list-filter';
import { useState } from 'react';
import { useMethodName } from '../../method-names.tsx';
import { MemberPick, MerchantPick } from '../../picks.tsx';
import {
  CURRENCIES,
  DUE,
  type FILTERS,
  METHODS,
  type OrderFilters,
  STAGES,
  STATUSES,
  TYPES,
  YES_NO,
} from './filters.ts';
import classes from './orders.module.css';
import { texts } from './texts.ts';

type Set = Filters<typeof FILTERS>['set'];
const { fields } = texts;

const plain = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
const labelled = <Value extends string>(
  values: readonly Value[],
  label: (value: Value) => string,
) => values.map((value) => ({ value, label: label(value) }));

/** Every filter, behind one button. */
export function FilterPanel({ values, set }: { readonly values: OrderFilters; readonly set: Set }) {
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
          {texts.filter}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.filterOrders}>
        <div className={classes['panel']}>
          <Kinds values={values} set={set} />
          <Whose values={values} set={set} />
          <Ranges values={values} set={set} />
          <div className={classes['panel-end']}>
            <Button onClick={close}>{texts.done}</Button>
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

interface PartProps {
  readonly values: OrderFilters;
  readonly set: Set;
}

const COMBO = { comboboxProps: { withinPortal: false } } as const;

function Kinds({ values, set }: PartProps) {
  const nameOf = useMethodName();
  const several = (name: 'status' | 'stage' | 'walletType' | 'currency') => ({
    label: fields[name],
    value: [...(values[name] ?? [])] as string[],
    clearable: true,
    onChange: (chosen: string[]) =>
      set({ [name]: chosen.length === 0 ? undefined : chosen } as never),
    ...COMBO,
  });
  return (
    <>
      <MultiSelect {...several('status')} data={labelled(STATUSES, statusLabel)} />
      <MultiSelect {...several('stage')} data={plain(STAGES)} />
      <Select
        label={fields.orderType}
        data={labelled(TYPES, (type) => texts.types[type])}
        value={values.orderType ?? null}
        clearable
        onChange={(orderType) => set({ orderType: (orderType ?? undefined) as never })}
        {...COMBO}
      />
      <MultiSelect {...several('walletType')} data={labelled(METHODS, nameOf)} />
      <MultiSelect {...several('currency')} data={plain(CURRENCIES)} />
    </>
  );
}

function Whose({ values, set }: PartProps) {
  const oneOf = (name: 'hasLateClaim' | 'hasFailingWebhook') => (
    <Select
      label={fields[name]}
      data={labelled(YES_NO, (value) => texts.yesNo[value])}
      value={values[name] ?? null}
      clearable
      onChange={(value) => set({ [name]: value ?? undefined } as never)}
      {...COMBO}
    />
  );
  return (
    <>
      <MerchantPick
        label={fields.merchantId}
        value={values.merchantId}
        onChange={(merchantId) => set({ merchantId })}
      />
      <MemberPick
        label={fields.memberId}
        value={values.memberId}
        onChange={(memberId) => set({ memberId })}
      />
      {oneOf('hasLateClaim')}
      {oneOf('hasFailingWebhook')}
    </>
  );
}

function Ranges({ values, set }: PartProps) {
  const day = (name: 'from' | 'to') => (
    <TextInput
      type="date"
      label={fields[name]}
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
      <Select
        label={fields.due}
        data={labelled(DUE, (minutes) => texts.due[minutes])}
        value={values.due ?? null}
        clearable
        onChange={(due) => set({ due: (due ?? undefined) as never })}
        {...COMBO}
      />
    </>
  );
}

/** What is typed is a filter once it is an amount. */
function AmountInput({
  name,
  values,
  set,
}: PartProps & { readonly name: 'amountFrom' | 'amountTo' }) {
  const [typed, setTyped] = useState(values[name] ?? '');
  return (
    <TextInput
      label={fields[name]}
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
