import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { LIST_MEMBERS, LIST_MERCHANTS, READ_MEMBER, READ_MERCHANT } from '@munshi/api';
import { useRead } from '@munshi/web-ui';
import { useState } from 'react';

/** As many as a list shows; more are found by typing. */
const SHOWN = 20;
const TYPING_MS = 200;

interface PickProps {
  readonly label: string;
  /** The id. */
  readonly value: string | undefined;
  readonly required?: boolean;
  /** Among the filters of a list: the label stands in it. */
  readonly bare?: boolean;
  onChange(id: string | undefined): void;
}

interface Named {
  readonly value: string;
  readonly label: string;
}

function useTyped() {
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  return { settled, setTyped };
}

/** One of very many, found by name. */
export function MerchantPick(props: PickProps) {
  const { settled, setTyped } = useTyped();
  const chosen = useMerchantName(props.value);
  const query = { limit: SHOWN, ...(settled !== '' && settled !== chosen && { search: settled }) };
  const { data } = useRead(LIST_MERCHANTS, { query });
  const found = data?.data.map(({ merchantId, name }) => ({ value: merchantId, label: name }));
  return <Pick {...props} chosen={chosen} found={found ?? []} onType={setTyped} />;
}

/** One of very many, found by name. */
export function MemberPick(props: PickProps) {
  const { settled, setTyped } = useTyped();
  const chosen = useMemberName(props.value);
  const query = { limit: SHOWN, ...(settled !== '' && settled !== chosen && { search: settled }) };
  const { data } = useRead(LIST_MEMBERS, { query });
  const found = data?.data.map(({ memberId, name }) => ({ value: memberId, label: name }));
  return <Pick {...props} chosen={chosen} found={found ?? []} onType={setTyped} />;
}

/** The name for an id; undefined while it is not known. */
export function useMerchantName(merchantId: string | undefined): string | undefined {
  const params = { merchantId: merchantId ?? '' };
  return useRead(READ_MERCHANT, { params }, { enabled: merchantId !== undefined }).data?.data.name;
}

/** The name for an id; undefined while it is not known. */
export function useMemberName(memberId: string | undefined): string | undefined {
  const params = { memberId: memberId ?? '' };
  return useRead(READ_MEMBER, { params }, { enabled: memberId !== undefined }).data?.data.name;
}

function Pick({
  label,
  value,
  required = false,
  bare = false,
  onChange,
  chosen,
  found,
  onType,
}: PickProps & {
  readonly chosen: string | undefined;
  readonly found: readonly Named[];
  onType(typed: string): void;
}) {
  const isFound = found.some((one) => one.value === value);
  const own = value === undefined || isFound ? [] : [{ value, label: chosen ?? value }];
  return (
    <Select
      {...(bare ? { 'aria-label': label, placeholder: label } : { label })}
      data={[...own, ...found]}
      value={value ?? null}
      searchable
      clearable={!required}
      withAsterisk={required}
      nothingFoundMessage="Nothing has this name or number."
      filter={({ options }) => options}
      onSearchChange={onType}
      onChange={(id) => onChange(id ?? undefined)}
    />
  );
}
