import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { EXPORT_AUDIT, LIST_AUDIT } from '@munshi/api';
import { timesOfDays } from '@munshi/web';
import {
  CsvLink,
  DaysFilter,
  day,
  FilterBar,
  Page,
  text,
  useFilters,
  useList,
} from '@munshi/web-ui';
import { useEffect, useState } from 'react';
import { AuditEntries } from '../../audit-entries.tsx';
import { ACTION_NAMES } from './action-names.ts';
import classes from './audit.module.css';
import { ChainState } from './chain-state.tsx';

const FILTERS = {
  actor: text(),
  action: text(),
  target: text(),
  address: text(),
  from: day(),
  to: day(),
  open: text(),
};
const ACTIONS = Object.entries(ACTION_NAMES)
  .map(([value, label]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

/** C13. */
export default function AuditPage() {
  const { values, set, clear, count } = useFilters(FILTERS);
  const { open: openId, from, to, ...plain } = values;
  const query = { ...plain, ...timesOfDays({ from, to }) };
  const list = useList(LIST_AUDIT, { query });
  return (
    <Page
      title="Audit"
      lead="Who did what, on what, from where and when. Nothing here can be changed."
      actions={
        <CsvLink path={EXPORT_AUDIT.path} query={query} label="Save these entries as a CSV file" />
      }
    >
      <ChainState />
      <FilterBar count={openId === undefined ? count : count - 1} onClear={clear}>
        <TextFilter
          label="Who"
          hint="Part of a name or username, or an id"
          value={values.actor}
          onChange={(actor) => set({ actor })}
        />
        <Select
          aria-label="What"
          placeholder="What"
          data={ACTIONS}
          value={values.action ?? null}
          clearable
          searchable
          className={classes['field']}
          onChange={(action) => set({ action: action ?? undefined })}
        />
        <TextFilter
          label="On what"
          hint="Part of a name, an order’s reference or an id"
          value={values.target}
          onChange={(target) => set({ target })}
        />
        <TextFilter
          label="From where"
          hint="Address"
          value={values.address}
          onChange={(address) => set({ address })}
        />
        <DaysFilter from={from} to={to} set={set} />
      </FilterBar>
      <AuditEntries
        label="Audit"
        list={list}
        openId={openId}
        onOpen={(open) => set({ open })}
        only={(filter) => set({ ...filter, open: undefined })}
        empty="No entry matches these filters."
      />
    </Page>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string | undefined;
  onChange(value: string | undefined): void;
}

/** Any text; said when typing pauses. */
function TextFilter({ label, hint, value, onChange }: FieldProps & { readonly hint: string }) {
  const [typed, setTyped] = useState(value ?? '');
  useEffect(() => setTyped(value ?? ''), [value]);
  const say = useDebouncedCallback((next: string) => onChange(next.trim() || undefined), 300);
  return (
    <TextInput
      aria-label={`${label}: ${hint}`}
      title={hint}
      placeholder={label}
      className={classes['field']}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        say(currentTarget.value);
      }}
    />
  );
}
