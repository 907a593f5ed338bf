import {
  ADD_ACCOUNT,
  APPROVE_ACCOUNT,
  CHANGE_ACCOUNT,
  CHANGE_MEMBER,
  CREATE_MEMBER,
  LIST_MEMBERS,
  READ_MEMBER,
  SUSPEND_ACCOUNT,
} from '@munshi/api';
import type { AskingOperator } from '@munshi/core';
import { operatorWrite } from '../door/door.ts';
import { readAlertsOfLate } from '../member-alerts/store.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { accountChange, accountFields } from './accounts.routes.ts';
import {
  accountChangeWaits,
  addAccount,
  approvalWaits,
  changeAccount,
  explainAccountChange,
  explainApproval,
  findOwned,
  type OwnedAccount,
  setAccountStatus,
} from './accounts.service.ts';
import type { AccountRecord } from './accounts.store.ts';
import { changeMember, explainMemberChange, memberChangeWaits } from './changes.service.ts';
import { readMembersOfLate } from './records.store.ts';
import { createMember } from './service.ts';
import { findMember, listMembers, type MemberRecord } from './store.ts';
import { showMember, showOwnedAccount, type Viewing } from './view.operator.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const viewingOf = (who: Operator, { clock }: Pick<Deps, 'clock'>): Viewing => ({
  now: clock.now(),
  who,
});

/** Members: who they are, what they may take on, and their status. */
export function memberRoutes(face: OperatorFace, deps: Deps): void {
  const { pool } = deps.database;
  const showTo = (viewing: Viewing) => (member: MemberRecord) => showMember(member, viewing);

  bind(face, CREATE_MEMBER, async (request, caller) => {
    const work = await createMember(deps, caller.actor, request.body);
    return { data: await doWrite(deps, caller, work, showTo(viewingOf(caller, deps))) };
  });

  bind(face, READ_MEMBER, async (request, caller) => {
    const { memberId } = request.params;
    const member = found(await findMember(pool, memberId), 'Member');
    return { data: showMember(member, viewingOf(caller, deps)) };
  });

  bind(face, LIST_MEMBERS, async (request, caller) => {
    const { search = null, status = null, online = null, accountStatus = null } = request.query;
    const page = pageOf(request.query);
    const filters = { search, status, online, accountStatus };
    const rows = await listMembers(pool, { ...filters, ...page.place });
    const ids = rows.map(({ memberId }) => memberId);
    const ofLate = await readMembersOfLate(pool, ids, deps.clock.now() - DAY_MS);
    const alertsOf = await readAlertsOfLate(pool, ids);
    const show = showTo(viewingOf(caller, deps));
    const showListed = (member: MemberRecord) => {
      const { completedSince, ...record } = ofLate(member.memberId);
      const { seenAt, missed } = alertsOf(member.memberId);
      return {
        ...show(member),
        record,
        completedLastDay: completedSince,
        lastAlertSeenAt: seenAt,
        alertsMissed: missed,
      };
    };
    return pageAnswer(page, rows, ({ memberId }) => memberId, showListed);
  });
}

/** Accounts of members: added pending, approved or suspended by an operator. */
export function memberAccountRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, ADD_ACCOUNT, async (request, caller) => {
    const { memberId } = request.params;
    const viewing = viewingOf(caller, deps);
    const work = addAccount(caller.actor, memberId, accountFields(request));
    const show = (account: AccountRecord) => showOwnedAccount(memberId, account, viewing);
    return { data: await doWrite(deps, caller, work, show) };
  });
}

/** Writes of members and their accounts: all but a suspension may wait for a second operator. */
export function memberWrites(deps: Deps) {
  const show = ({ memberId, account }: OwnedAccount, who: AskingOperator) =>
    showOwnedAccount(memberId, account, { now: deps.clock.now(), who });
  return {
    CHANGE_MEMBER: operatorWrite(deps, CHANGE_MEMBER, {
      read: ({ params, body: { password: _, ...change } }, hidden) => ({
        memberId: params.memberId,
        change,
        passwordHash: hidden?.passwordHash ?? null,
      }),
      needsTwo: memberChangeWaits,
      explain: explainMemberChange,
      work: (client, asked, now, _ids, by) => changeMember(deps, client, asked, now, by),
      reread: async ({ memberId }) =>
        found(await findMember(deps.database.pool, memberId), 'Member'),
      show: (member, who) => showMember(member, { now: deps.clock.now(), who }),
    }),

    CHANGE_ACCOUNT: operatorWrite(deps, CHANGE_ACCOUNT, {
      kind: 'account-change',
      read: (asked) => ({ accountId: asked.params.accountId, change: accountChange(asked) }),
      needsTwo: accountChangeWaits,
      explain: explainAccountChange,
      work: changeAccount,
      show,
    }),

    APPROVE_ACCOUNT: operatorWrite(deps, APPROVE_ACCOUNT, {
      read: ({ params }): string => params.accountId,
      needsTwo: approvalWaits,
      explain: explainApproval,
      work: (client, accountId, _now, _ids, by) =>
        setAccountStatus(deps, client, { accountId, status: 'approved' }, by),
      show,
    }),

    SUSPEND_ACCOUNT: operatorWrite(deps, SUSPEND_ACCOUNT, {
      read: ({ params }): string => params.accountId,
      explain: explainApproval,
      work: (client, accountId, _now, _ids, by) =>
        setAccountStatus(deps, client, { accountId, status: 'suspended' }, by),
      // Deposits that have left the account gave its day back.
      reread: async ({ memberId, account: { accountId } }) => ({
        memberId,
        account: await findOwned(deps.database.pool, memberId, accountId),
      }),
      show,
    }),
  };
}
