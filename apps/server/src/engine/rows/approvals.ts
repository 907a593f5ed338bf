import type { Approval, ApprovalId, Instant } from '@munshi/core';
import {
  answers,
  assignments,
  columns,
  from,
  insertion,
  type KindsOf,
  orNull,
  parameters,
  t,
} from '../../platform/database/columns.ts';
import type { Queryable } from '../../platform/database/queryable.ts';
import { time } from '../../platform/database/rows.ts';
import {
  lists,
  PAGE,
  queryOne,
  readsAll,
  readsOne,
  statement,
  writes,
} from '../../platform/database/statement.ts';

/**
 * How what waits is stored. Processes of the version before take an unknown kind for money, and do
 * what another says in their own way; this status they refuse to approve. The next version may store
 * it as what it is.
 */
const WRITE = { kind: 'settings', pending: 'waiting' } as const;

/** Requests `a` that wait for a second operator at `now` about an order, which is their target. */
export const asksAboutOrder = (now: string) => `a.status in ('pending', '${WRITE.pending}')
       and a.kind in ('order-confirm', 'order-resolve')
       and a.expires_at > ${now}::timestamptz`;

/** What becomes of a request. */
const OUTCOME = {
  status: t.text,
  decidedBy: orNull(t.text),
  decidedName: orNull(t.text),
  decidedAt: orNull(t.instant),
  note: orNull(t.text),
};
const APPROVAL_COLUMNS = {
  approvalId: t.id<ApprovalId>(),
  kind: t.oneOf<Approval['kind']>(),
  target: t.text,
  request: t.json<Approval['request']>(),
  asked: t.json<Approval['asked']>(),
  requestedBy: t.text,
  requestedName: t.text,
  requestedAt: t.instant,
  expiresAt: t.instant,
  ...OUTCOME,
};
/** A request as core has it, and not as it is stored. */
export const APPROVAL = columns('', {
  ...APPROVAL_COLUMNS,
  kind: from(
    `case when asked is not null and kind = '${WRITE.kind}' then 'write' else kind end`,
    APPROVAL_COLUMNS.kind,
  ),
  status: from(
    `case status when '${WRITE.pending}' then 'pending' else status end`,
    t.oneOf<Approval['status']>(),
  ),
} satisfies KindsOf<Approval>);

/** What a request carries that nobody is shown. */
export interface Hidden {
  readonly passwordHash: string;
}

const NEW_APPROVAL = insertion('approvals', {
  ...APPROVAL_COLUMNS,
  hidden: t.json<Hidden | null>(),
});

export const insertApproval = writes(
  'insert-approval',
  NEW_APPROVAL.into,
  (approval: Approval, hidden: Hidden | null) =>
    NEW_APPROVAL.valuesOf({
      ...approval,
      hidden,
      kind: approval.kind === 'write' ? WRITE.kind : approval.kind,
      status: storedStatus(approval),
    }),
);

const storedStatus = ({ status }: Pick<Approval, 'status'>) =>
  status === 'pending' ? WRITE.pending : status;

export const findApproval = readsOne(
  'find-approval',
  `select ${APPROVAL.list}
   from approvals
   where approval_id = $1`,
  APPROVAL,
  (approvalId: string) => [approvalId],
);

/** The request, locked until the transaction ends. */
export const lockApproval = readsOne(
  'lock-approval',
  `select ${APPROVAL.list}
   from approvals
   where approval_id = $1
   for update`,
  APPROVAL,
  (approvalId: string) => [approvalId],
);

const HIDDEN = statement(
  'approval-hidden',
  `select hidden
   from approvals
   where approval_id = $1`,
  answers({ hidden: orNull(t.json<Hidden>()) }),
);

/** What a request hides, which never changes. */
export async function readHidden(db: Queryable, approvalId: string): Promise<Hidden | null> {
  return (await queryOne(db, HIDDEN, [approvalId]))?.hidden ?? null;
}

const DECIDED = assignments(OUTCOME);
/** What became of a locked request. */
export const updateApproval = writes(
  'update-approval',
  `update approvals
   set ${DECIDED.set}
   where approval_id = $${DECIDED.next}`,
  (approval: Approval) => [
    ...DECIDED.valuesOf({ ...approval, status: storedStatus(approval) }),
    approval.approvalId,
  ],
);

/**
 * An operator's requests are dropped with them: what waits, and what was approved and not
 * fetched.
 */
export const fallApprovals = writes(
  'fall-approvals',
  `update approvals
   set status = 'fallen'
   where requested_by = $1 and status in ('pending', 'approved', '${WRITE.pending}')`,
  (requestedBy: string) => [requestedBy],
);

/** Requests, the newest first; `expired` are those that waited too long. */
export const listApprovals = lists(
  'list-approvals',
  `select ${APPROVAL.list}
   from approvals
   where (
       $1::text is null
       or $1 = case
         when status in ('pending', '${WRITE.pending}') then
           case when expires_at <= $3 then 'expired' else 'pending' end
         else status
       end
     )
     and ($2::text is null or target = $2)
     and ($4::uuid is null or approval_id < $4)
   order by approval_id desc
   limit $5`,
  APPROVAL,
  parameters({ status: orNull(t.text), target: orNull(t.text), now: t.instant, ...PAGE }),
);

/** The newest keys of a merchant that were approved and not fetched, expired ones too. */
export const listApprovedKeys = readsAll(
  'approved-keys',
  `select ${APPROVAL.list}
   from approvals
   where target = $1 and kind = 'api-key' and status = 'approved'
   order by approval_id desc
   limit 100`,
  APPROVAL,
  (merchantId: string) => [merchantId],
);

/**
 * Holds an asker until the transaction ends, so that what they ask for at once is counted one after
 * another, and replaces what it has to.
 */
export const lockAsker = writes(
  'lock-asker',
  `insert into operator_sums (operator_id, day, amount)
   values ($1, 0, 0)
   on conflict (operator_id) do update set day = operator_sums.day`,
  (operatorId: string) => [operatorId],
);

const WAITING = statement(
  'count-waiting',
  `select count(*)::integer as waiting
   from approvals
   where requested_by = $1 and status = '${WRITE.pending}' and expires_at > $2`,
  answers({ waiting: t.integer }),
);
/** How many requests of an asker wait at this time. */
export async function countWaiting(db: Queryable, requestedBy: string, now: Instant) {
  return (await queryOne(db, WAITING, [requestedBy, time(now)]))?.waiting ?? 0;
}

/** The asker’s write of an endpoint that waits for a target, locked until the transaction ends. */
export const lockWaitingWrite = readsOne(
  'lock-waiting-write',
  `select ${APPROVAL.list}
   from approvals
   where status = '${WRITE.pending}' and asked ->> 'endpoint' = $1 and target = $2
     and requested_by = $3
   for update`,
  APPROVAL,
  (endpoint: string, target: string, requestedBy: string) => [endpoint, target, requestedBy],
);
