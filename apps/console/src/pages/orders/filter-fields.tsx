import { Select } from '@mantine/core';
import { type Filters, INSIDE, KindFilters, labelled, RangeFilters } from '@munshi/web-ui';
import { useMethodName } from '../../method-names.ts';
import { MemberPick, MerchantPick } from '../../picks.tsx';
import { DUE, FIELDS, type FILTERS, keysOf, type OrderFilters, YES_NO } from './filters.ts';

interface FieldsProps {
  readonly values: OrderFilters;
  readonly set: Filters<typeof FILTERS>['set'];
}

/** The filters of every list of orders, and those of operators. */
export function FilterFields({ values, set }: FieldsProps) {
  return (
    <>
      <KindFilters values={values} set={set} methodName={useMethodName()} />
      <Whose values={values} set={set} />
      <RangeFilters values={values} set={set} />
      <Select
        label="Due"
        data={labelled(keysOf(DUE), (minutes) => DUE[minutes])}
        value={values.due ?? null}
        clearable
        onChange={(due) => set({ due: (due ?? undefined) as never })}
        {...INSIDE}
      />
    </>
  );
}

function Whose({ values, set }: FieldsProps) {
  const oneOf = (name: 'hasLateClaim' | 'hasFailingWebhook') => (
    <Select
      label={FIELDS[name]}
      data={labelled(keysOf(YES_NO), (value) => YES_NO[value])}
      value={values[name] ?? null}
      clearable
      onChange={(value) => set({ [name]: value ?? undefined } as never)}
      {...INSIDE}
    />
  );
  return (
    <>
      <MerchantPick
        label="Merchant"
        value={values.merchantId}
        onChange={(merchantId) => set({ merchantId })}
      />
      <MemberPick
        label="Member"
        value={values.memberId}
        onChange={(memberId) => set({ memberId })}
      />
      {oneOf('hasLateClaim')}
      {oneOf('hasFailingWebhook')}
    </>
  );
}
