import { Button } from '@mantine/core';
import { LIST_APPROVALS } from '@munshi/api';
import {
  ActionButton,
  Age,
  ChoiceFilter,
  DataTable,
  FilterBar,
  Money,
  oneOf,
  Page,
  Split,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { useSession } from '../../session.tsx';
import classes from './approvals.module.css';
import { ApproveMany } from './approve-many.tsx';
import { aboutOf, type Request, STATUS_NAMES, titleOf } from './names.ts';
import { OpenRequest } from './open-request.tsx';
import { ReadyForYou } from './ready.tsx';

const STATUSES = [
  'pending',
  'approved',
  'done',
  'declined',
  'withdrawn',
  'fallen',
  'expired',
] as const;
const UNSET = 'pending';
const FILTERS = { status: oneOf(STATUSES), open: text() };
const WATCH = { watch: ['approval'] };
/** What is open shows these. */
const IN_PANEL: ReadonlySet<string> = new Set(['reason', 'requester']);

/** C8. What waits for a second person; others by their status. */
export default function ApprovalsPage() {
  const { operator } = useSession();
  const { values, set, clear } = useFilters(FILTERS);
  const status = values.status ?? UNSET;
  const list = useList(LIST_APPROVALS, { query: { status } }, WATCH);
  const waiting = status === 'pending';
  const rows = list.rows ?? [];
  const many = useMany(rows);
  /** The next that the reader may approve, once the open one is decided. */
  const goOn = () => {
    const at = rows.findIndex(({ approvalId }) => approvalId === values.open);
    const next = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))].find(mayApprove);
    set({ open: next?.approvalId });
  };
  return (
    <Page
      title="Approvals"
      lead="Requests that wait for a second operator. They cannot be changed, and end after 24 hours."
    >
      {status === 'approved' ? null : <ReadyForYou />}
      <FilterBar count={status === UNSET ? 0 : 1} onClear={clear}>
        <ChoiceFilter
          label="Status"
          choices={STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }))}
          value={values.status}
          unset={UNSET}
          onChange={(next) => set({ status: next, open: undefined })}
        />
      </FilterBar>
      {many.chosen.length === 0 ? null : (
        <div className={classes['chosen']} role="status">
          <span>{many.chosen.length} selected</span>
          <Button variant="subtle" size="compact-sm" onClick={() => many.select(new Set())}>
            Select none
          </Button>
          <ActionButton letter="a" size="compact-sm" onClick={() => many.setOpened(many.chosen)}>
            {many.chosen.length === 1 ? 'Approve' : `Approve ${many.chosen.length} together`}
          </ActionButton>
        </div>
      )}
      <Split
        openId={values.open}
        list={
          <DataTable
            label="Approvals"
            list={list}
            rowId={({ approvalId }) => approvalId}
            rowLabel={titleOf}
            openId={values.open}
            onOpen={({ approvalId }) => set({ open: approvalId })}
            hidden={values.open === undefined ? NONE : IN_PANEL}
            {...(rows.some(mayApprove) && {
              selected: new Set(many.chosen.map(({ approvalId }) => approvalId)),
              onSelect: many.select,
              maySelect: many.maySelect,
            })}
            empty={
              waiting ? (
                <>
                  <p>Nothing is waiting for a second operator.</p>
                  <p className="quiet">
                    Requests appear here when an action needs a second operator.
                  </p>
                </>
              ) : (
                <p>No request has this status.</p>
              )
            }
            columns={[
              { id: 'kind', header: 'What', cell: titleOf },
              { id: 'about', header: 'About', cell: aboutOf },
              {
                id: 'amount',
                header: 'Amount',
                align: 'end',
                cell: ({ amount, currency }) =>
                  amount === null ? null : <Money amount={amount} currency={currency ?? 'PKR'} />,
              },
              { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
              {
                id: 'requester',
                header: 'Asked for by',
                cell: ({ requestedBy, requestedName }) =>
                  requestedBy === operator.operatorId ? `${requestedName} (you)` : requestedName,
              },
              waiting
                ? {
                    id: 'age',
                    header: 'Waits for',
                    align: 'end',
                    cell: ({ requestedAt }) => <Age at={requestedAt} redAfterMs={LATE_MS} />,
                  }
                : {
                    id: 'decided',
                    header: 'Decided',
                    align: 'end',
                    cell: ({ decidedAt, requestedAt }) => <When at={decidedAt ?? requestedAt} />,
                  },
            ]}
          />
        }
      >
        {values.open === undefined ? null : (
          <OpenRequest
            key={values.open}
            approvalId={values.open}
            onSeen={many.see}
            onDecided={goOn}
            hasLetters={many.chosen.length === 0}
          />
        )}
      </Split>
      {many.opened === null ? null : (
        <ApproveMany requests={many.opened} onClose={() => many.setOpened(null)} />
      )}
    </Page>
  );
}

const NONE: ReadonlySet<string> = new Set();
/** Most of a day is gone, and it will end unseen. */
const LATE_MS = 12 * 60 * 60 * 1000;

const mayApprove = ({ allowedActions }: Request): boolean => allowedActions.includes('approve');

/** Requests to approve together: of those that were open here, and shown whole. */
function useMany(rows: readonly Request[]) {
  const [seen, setSeen] = useState(NONE);
  const [selected, select] = useState(NONE);
  const [opened, setOpened] = useState<readonly Request[] | null>(null);
  const maySelect = (row: Request) => seen.has(row.approvalId) && mayApprove(row);
  return {
    maySelect,
    select,
    chosen: rows.filter((row) => selected.has(row.approvalId) && maySelect(row)),
    see: (approvalId: string) =>
      setSeen((known) => (known.has(approvalId) ? known : new Set([...known, approvalId]))),
    opened,
    setOpened,
  };
}
