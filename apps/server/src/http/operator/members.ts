import {
  ADD_ACCOUNT,
  APPROVE_ACCOUNT,
  CHANGE_ACCOUNT,
  CHANGE_MEMBER,
  CREATE_MEMBER,
  LIST_MEMBERS,
  MAKE_MEMBER_RECOVERY,
  READ_MEMBER,
  SUSPEND_ACCOUNT,
} from '@munshi/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { performOrAsk } from '../../services/approvals.ts';
import {
  accountOperation,
  addAccount,
  type OwnedAccount,
  setAccountStatus,
} from '../../services/member-accounts.ts';
import { changeMember } from '../../services/member-changes.ts';
import { createMember } from '../../services/members.ts';
import { recoveryOperation } from '../../services/recovery-links.ts';
import { found } from '../../services/refusals.ts';
import { type AccountRecord, findAccountOwner } from '../../storage/members/member-accounts.ts';
import { readMembersOfLate } from '../../storage/members/member-records.ts';
import { findMember, listMembers, type MemberRecord } from '../../storage/members/members.ts';
import { readAlertsOfLate } from '../../storage/members/order-alerts.ts';
import { readControl } from '../../storage/people/control.ts';
import { readPlatformSettings } from '../../storage/settings.ts';
import { accountChange, accountFields } from '../accounts.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { jsonTime } from '../values.ts';
import { askingOperator, callerOf } from './access.ts';
import { showMember, showOwnedAccount, showRecoveryLink, type Viewing } from './views.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What is shown of these members depends on who looks. */
async function viewingOf(
  { operator }: Pick<FastifyRequest, 'operator'>,
  { database, clock }: Deps,
  memberIds: readonly string[],
): Promise<Viewing> {
  const { requireSecondOperator } = await readPlatformSettings(database.pool);
  const control = await readControl(database.pool, memberIds);
  return { who: askingOperator(operator), now: clock.now(), requireSecondOperator, control };
}

/** The same of somebody whom this request gives a password. */
const givingPassword = (viewing: Viewing): Viewing => ({
  ...viewing,
  control: { holdersOf: (id) => new Set([...viewing.control.holdersOf(id), viewing.who.id]) },
});

/** Members: who they are, what they may take on, and their status. */
export function memberRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;
  const showTo = (viewing: Viewing) => (member: MemberRecord) => showMember(member, viewing);

  bind(app, CREATE_MEMBER, async (request) => {
    const show = showTo(givingPassword(await viewingOf(request, deps, [])));
    return { data: show(await createMember(deps, callerOf(request), request.body, show)) };
  });

  bind(app, CHANGE_MEMBER, async (request) => {
    const { params, body } = request;
    const viewing = await viewingOf(request, deps, [params.memberId]);
    const show = showTo(body.password === undefined ? viewing : givingPassword(viewing));
    return { data: await changeMember(deps, callerOf(request), params.memberId, body, show) };
  });

  bind(app, MAKE_MEMBER_RECOVERY, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const caller = callerOf(request);
    const { memberId } = request.params;
    const now = deps.clock.now();
    const operation = await recoveryOperation(pool, 'member', memberId, caller.actor, now);
    return { data: await performOrAsk(deps, caller, operation, showRecoveryLink) };
  });

  bind(app, READ_MEMBER, async (request) => {
    const { memberId } = request.params;
    const member = found(await findMember(pool, memberId), 'Member');
    return { data: showMember(member, await viewingOf(request, deps, [memberId])) };
  });

  bind(app, LIST_MEMBERS, async (request) => {
    const { search = null, status = null, online = null, accountStatus = null } = request.query;
    const page = pageOf(request.query);
    const { after, limit } = page;
    const filters = { search, status, online, accountStatus };
    const rows = await listMembers(pool, { ...filters, after, limit: limit + 1 });
    const ids = rows.map(({ memberId }) => memberId);
    const ofLate = await readMembersOfLate(pool, ids, deps.clock.now() - DAY_MS);
    const alertsOf = await readAlertsOfLate(pool, ids);
    const show = showTo(await viewingOf(request, deps, ids));
    const showListed = (member: MemberRecord) => {
      const { completedSince, ...record } = ofLate(member.memberId);
      const { seenAt, missed } = alertsOf(member.memberId);
      return {
        ...show(member),
        record,
        completedLastDay: completedSince,
        lastAlertSeenAt: jsonTime(seenAt),
        alertsMissed: missed,
      };
    };
    return pageAnswer(page, rows, ({ memberId }) => memberId, showListed);
  });
}

/** Accounts of members: added pending, approved or suspended by an operator. */
export function memberAccountRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  bind(app, ADD_ACCOUNT, async (request) => {
    const { memberId } = request.params;
    const viewing = await viewingOf(request, deps, [memberId]);
    const show = (account: AccountRecord) => showOwnedAccount(memberId, account, viewing);
    const fields = accountFields(request);
    return { data: show(await addAccount(deps, callerOf(request), memberId, fields, show)) };
  });

  bind(app, CHANGE_ACCOUNT, async (request) => {
    const { accountId } = request.params;
    const owner = await findAccountOwner(pool, accountId);
    const viewing = await viewingOf(request, deps, owner === undefined ? [] : [owner]);
    const show = ({ memberId, account }: OwnedAccount) =>
      showOwnedAccount(memberId, account, viewing);
    const change = accountChange(request);
    const operation = await accountOperation(pool, accountId, change, deps.clock.now());
    return { data: await performOrAsk(deps, callerOf(request), operation, show) };
  });

  bind(app, APPROVE_ACCOUNT, (request) => setStatus(request, 'approved'));
  bind(app, SUSPEND_ACCOUNT, (request) => setStatus(request, 'suspended'));

  async function setStatus(
    request: FastifyRequest<{ Params: { accountId: string } }>,
    status: 'approved' | 'suspended',
  ) {
    const { accountId } = request.params;
    const { memberId, account } = await setAccountStatus(
      deps,
      callerOf(request),
      accountId,
      status,
    );
    const viewing = await viewingOf(request, deps, [memberId]);
    return { data: showOwnedAccount(memberId, account, viewing) };
  }
}
