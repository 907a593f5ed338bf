import { Button } from '@mantine/core';
import { type AuditView, LIST_AUDIT } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  type Column,
  Copy,
  DataTable,
  Facts,
  type List,
  OpenCard,
  Split,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import { Changes } from './changes.tsx';
import { actionName } from './pages/audit/action-names.ts';
import classes from './pages/audit/audit.module.css';

type Entry = AsText<AuditView>;
/** More entries by the same person, or on the same thing. */
type Only = (filter: { readonly actor?: string; readonly target?: string }) => void;

const OPEN = { open: text() };

/** What is recorded about one thing: a merchant, a member. */
export function AuditOf({
  target,
  watch,
  ...shown
}: {
  readonly target: string;
  readonly watch: string;
  readonly label: string;
  readonly empty: string;
}) {
  const { values, set } = useFilters(OPEN);
  const list = useList(LIST_AUDIT, { query: { target } }, { watch: [watch] });
  return (
    <AuditEntries {...shown} list={list} openId={values.open} onOpen={(open) => set({ open })} />
  );
}

interface EntriesProps {
  readonly label: string;
  readonly list: List<Entry>;
  readonly openId: string | undefined;
  /** Undefined: none is open any more. */
  onOpen(auditId: string | undefined): void;
  /** Left out where all entries are about one thing. */
  readonly only?: Only;
  readonly empty: string;
}

/** Entries of the audit log; one of them opens beside the list. */
export function AuditEntries({ label, list, openId, onOpen, only, empty }: EntriesProps) {
  const open = list.rows?.find(({ auditId }) => auditId === openId);
  return (
    <Split
      openId={open?.auditId}
      list={
        <DataTable
          label={label}
          list={list}
          rowId={({ auditId }) => auditId}
          rowLabel={(entry) => actionName(entry)}
          openId={openId}
          onOpen={({ auditId }) => onOpen(auditId)}
          empty={<p>{empty}</p>}
          columns={only === undefined ? COLUMNS.filter(({ id }) => id !== 'on') : COLUMNS}
        />
      }
    >
      {open === undefined ? null : (
        <OneEntry key={open.auditId} entry={open} only={only} onClose={() => onOpen(undefined)} />
      )}
    </Split>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  { id: 'what', header: 'What', cell: (entry) => actionName(entry) },
  { id: 'when', header: 'When', cell: ({ at }) => <When at={at} /> },
  { id: 'who', header: 'Who', cell: (entry) => whoOf(entry) },
  { id: 'on', header: 'On what', cell: ({ target, names }) => names[target] ?? shortOf(target) },
  { id: 'where', header: 'From where', cell: ({ actor }) => actor.address },
];

function whoOf({ actor }: Entry): string {
  if (actor.kind === 'clock') return 'Munshi';
  return actor.name ?? (actor.kind === 'member' ? 'A member' : (actor.id ?? actor.kind));
}

/** Ids are long: their end distinguishes them. */
const shortOf = (target: string) =>
  /^[0-9a-f-]{36}$/.test(target) ? `…${target.slice(-8)}` : target;

interface EntryProps {
  readonly entry: Entry;
  readonly only: Only | undefined;
  onClose(): void;
}

/** One entry, whole. */
function OneEntry({ entry, only, onClose }: EntryProps) {
  const { actor, target, at, auditId, detail, names } = entry;
  const actorId = actor.id;
  const hasDetail = Object.keys(detail).length > 0;
  return (
    <OpenCard title={actionName(entry)} onClose={onClose}>
      <Facts
        facts={[
          ['Who', whoOf(entry)],
          ['When', <When key="when" at={at} />],
          names[target] === undefined ? null : ['On what', <bdi key="name">{names[target]}</bdi>],
          [
            names[target] === undefined ? 'On what' : 'Its id',
            <Copy key="on" value={target} what="On what" mono />,
          ],
          actor.address === null
            ? null
            : ['From where', <Copy key="where" value={actor.address} what="From where" mono />],
          ['Entry', <Copy key="id" value={auditId} what="Entry" mono />],
        ]}
      />
      {hasDetail ? (
        <Changes label="What was recorded" fields={detail} names={names} />
      ) : (
        <p className="quiet">Nothing more was recorded.</p>
      )}
      {only === undefined ? null : (
        <div className={classes['buttons']}>
          {actorId === null ? null : (
            <Button variant="default" size="compact-sm" onClick={() => only({ actor: actorId })}>
              Only by them
            </Button>
          )}
          <Button variant="default" size="compact-sm" onClick={() => only({ target })}>
            Only on this
          </Button>
        </div>
      )}
    </OpenCard>
  );
}
