import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { AUDIT_CSV, type AuditView, LIST_AUDIT } from '@munshi/api';
import { timesOfDays } from '@munshi/web';
import {
  Card,
  Copy,
  DataTable,
  DayFilter,
  Facts,
  FilterBar,
  Page,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import { useEffect, useState } from 'react';
import { Changes } from '../../changes.tsx';
import { CsvLink } from '../../csv-link.tsx';
import classes from './audit.module.css';
import { ChainState } from './chain-state.tsx';
import { texts } from './texts.ts';

const FILTERS = {
  actor: text(),
  action: text(),
  target: text(),
  address: text(),
  from: text(),
  to: text(),
  open: text(),
};
const ACTIONS = Object.entries(texts.actions)
  .map(([value, label]) => ({ value, label }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

/** C13. */
export default function AuditPage() {
  const { values, set, clear, count } = useFilters(FILTERS);
  const { open: openId, from, to, ...plain } = values;
  const query = { ...plain, ...timesOfDays({ from, to }) };
  const list = useList(LIST_AUDIT, { query });
  const open = list.rows?.find(({ auditId }) => auditId === openId);
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={<CsvLink path={AUDIT_CSV.path} query={query} label={texts.csvOf} />}
    >
      <ChainState />
      <FilterBar count={openId === undefined ? count : count - 1} onClear={clear}>
        <TextFilter
          label={texts.who}
          hint={texts.whoHint}
          value={values.actor}
          onChange={(actor) => set({ actor })}
        />
        <Select
          aria-label={texts.what}
          placeholder={texts.what}
          data={ACTIONS}
          value={values.action ?? null}
          clearable
          searchable
          className={classes['field']}
          onChange={(action) => set({ action: action ?? undefined })}
        />
        <TextFilter
          label={texts.on}
          hint={texts.onHint}
          value={values.target}
          onChange={(target) => set({ target })}
        />
        <TextFilter
          label={texts.where}
          hint={texts.whereHint}
          value={values.address}
          onChange={(address) => set({ address })}
        />
        <DayFilter label={texts.from} value={from} onChange={(day) => set({ from: day })} />
        <DayFilter label={texts.to} value={to} onChange={(day) => set({ to: day })} />
      </FilterBar>
      <div className={classes['split']} data-open={open !== undefined}>
        <DataTable
          label={texts.title}
          list={list}
          rowId={({ auditId }) => auditId}
          rowLabel={({ action }) => texts.actionOf(action)}
          openId={openId}
          onOpen={({ auditId }) => set({ open: auditId })}
          empty={<p>{texts.none}</p>}
          columns={[
            { id: 'what', header: texts.what, cell: ({ action }) => texts.actionOf(action) },
            { id: 'when', header: texts.when, cell: ({ at }) => <When at={at} /> },
            { id: 'who', header: texts.who, cell: (entry) => <bdi>{whoOf(entry)}</bdi> },
            { id: 'on', header: texts.on, cell: ({ target }) => <bdi>{shortOf(target)}</bdi> },
            {
              id: 'where',
              header: texts.where,
              cell: ({ actor }) => <bdi>{actor.address ?? ''}</bdi>,
            },
          ]}
        />
        {open === undefined ? null : (
          <Entry
            key={open.auditId}
            entry={open}
            only={(filter) => set({ ...filter, open: undefined })}
            onClose={() => set({ open: undefined })}
          />
        )}
      </div>
    </Page>
  );
}

function whoOf({ actor }: AuditView): string {
  if (actor.kind === 'clock') return texts.clockKind;
  return actor.name ?? (actor.kind === 'member' ? texts.memberKind : (actor.id ?? actor.kind));
}

/** Ids are long: their end tells them apart. */
const shortOf = (target: string) =>
  /^[0-9a-f-]{36}$/.test(target) ? `…${target.slice(-8)}` : target;

interface EntryProps {
  readonly entry: AuditView;
  only(filter: { readonly actor?: string; readonly target?: string }): void;
  onClose(): void;
}

/** One entry, whole. */
function Entry({ entry, only, onClose }: EntryProps) {
  const { actor, target, at, auditId, action, detail } = entry;
  const actorId = actor.id;
  const hasDetail = Object.keys(detail).length > 0;
  return (
    <Card
      title={texts.actionOf(action)}
      actions={
        <Button variant="subtle" size="compact-sm" onClick={onClose}>
          {texts.close}
        </Button>
      }
    >
      <Facts
        facts={[
          [texts.who, whoOf(entry)],
          [texts.when, <When key="when" at={at} />],
          [texts.on, <Copy key="on" value={target} what={texts.on} mono />],
          actor.address === null
            ? null
            : [texts.where, <Copy key="where" value={actor.address} what={texts.where} mono />],
          [texts.entryId, <Copy key="id" value={auditId} what={texts.entryId} mono />],
        ]}
      />
      {hasDetail ? (
        <Changes label={texts.detail} fields={detail} />
      ) : (
        <p className="quiet">{texts.noDetail}</p>
      )}
      <div className={classes['buttons']}>
        {actorId === null ? null : (
          <Button variant="default" size="compact-sm" onClick={() => only({ actor: actorId })}>
            {texts.onlyWho}
          </Button>
        )}
        <Button variant="default" size="compact-sm" onClick={() => only({ target })}>
          {texts.onlyOn}
        </Button>
      </div>
    </Card>
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
