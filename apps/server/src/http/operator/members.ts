import {
  ADD_ACCOUNT,
  type AddAccount,
  APPROVE_ACCOUNT,
  CHANGE_MEMBER,
  type ChangeMember,
  CREATE_MEMBER,
  type CreateMember,
  LIST_MEMBERS,
  type ListMembers,
  READ_MEMBER,
  SUSPEND_ACCOUNT,
} from '@munshi/api';
import type { MemberAccount } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { performOrAsk } from '../../services/approvals.ts';
import { addAccount, setAccountStatus } from '../../services/member-accounts.ts';
import { createMember, updateMember } from '../../services/members.ts';
import { hashNewPassword } from '../../services/passwords.ts';
import { found } from '../../services/refusals.ts';
import { requireAlone } from '../../services/settings.ts';
import { findMember, listMembers, type MemberRecord } from '../../storage/members.ts';
import { accountFields } from '../accounts.ts';
import type { Deps } from '../deps.ts';
import { pageOf, sendData, sendList } from '../json.ts';
import { callerOf } from './access.ts';
import { showMember, showOwnedAccount } from './views.ts';

type AboutMember<Body = unknown> = { Params: { memberId: string }; Body: Body };
type AboutAccount = { Params: { accountId: string } };

/** Members: who they are, what they may take on, and their status. */
export function memberRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;
  const show = (member: MemberRecord) => showMember(member, clock.now());
  const shown = async (memberId: string) =>
    show(found(await findMember(database.pool, memberId), 'Member'));

  app.post<{ Body: CreateMember }>('/members', { schema: CREATE_MEMBER }, async (request, reply) =>
    sendData(reply, show(await createMember(deps, callerOf(request), request.body, show))),
  );

  app.patch<AboutMember<ChangeMember>>(
    '/members/:memberId',
    { schema: CHANGE_MEMBER },
    async (request, reply) => {
      const { memberId } = request.params;
      const { maxOpenOrders, status, ...identity } = request.body;
      const change = {
        ...(maxOpenOrders !== undefined && { maxOpenOrders }),
        ...(status !== undefined && { status }),
      };
      const changesMore = Object.keys(change).length > 0;
      found(await findMember(database.pool, memberId), 'Member');
      if (Object.keys(identity).length > 0) {
        if (identity.password !== undefined && changesMore) await requireAlone(database.pool);
        const act = await identityAct(memberId, identity);
        const waits = act.waits && !changesMore;
        const outcome = await performOrAsk(deps, callerOf(request), { ...act, waits });
        if ('approvalId' in outcome) return sendData(reply, outcome);
      }
      if (changesMore) await updateMember(deps, callerOf(request), memberId, change);
      return sendData(reply, await shown(memberId));
    },
  );

  app.get<AboutMember>('/members/:memberId', { schema: READ_MEMBER }, async ({ params }, reply) =>
    sendData(reply, await shown(params.memberId)),
  );

  app.get<{ Querystring: ListMembers }>(
    '/members',
    { schema: LIST_MEMBERS },
    async ({ query }, reply) => {
      const page = pageOf(query);
      const { search = null, status = null, online = null, accountStatus = null } = query;
      const filters = { search, status, online, accountStatus };
      const { after, limit } = page;
      const rows = await listMembers(database.pool, { ...filters, after, limit: limit + 1 });
      return sendList(reply, page, rows, ({ memberId }) => memberId, show);
    },
  );
}

async function identityAct(
  memberId: string,
  { name, username, password }: Pick<ChangeMember, 'name' | 'username' | 'password'>,
) {
  const hidden = password === undefined ? null : { passwordHash: await hashNewPassword(password) };
  const request = {
    memberId,
    ...(name !== undefined && { name }),
    ...(username !== undefined && { username }),
    ...(hidden && { password: 'a new one' }),
  };
  const kind = 'member-password';
  return { kind, target: memberId, request, hidden, waits: hidden !== null } as const;
}

/** Accounts of members: added pending, approved or suspended by an operator. */
export function memberAccountRoutes(app: FastifyInstance, deps: Deps): void {
  const { clock } = deps;

  app.post<AboutMember<AddAccount>>(
    '/members/:memberId/accounts',
    { schema: ADD_ACCOUNT },
    async (request, reply) => {
      const { memberId } = request.params;
      const show = (account: MemberAccount) => showOwnedAccount(memberId, account, clock.now());
      const fields = accountFields(request);
      const account = await addAccount(deps, callerOf(request), memberId, fields, show);
      return sendData(reply, show(account));
    },
  );

  app.post<AboutAccount>(
    '/member-accounts/:accountId/approve',
    { schema: APPROVE_ACCOUNT },
    (request, reply) => setStatus(request, reply, 'approved'),
  );
  app.post<AboutAccount>(
    '/member-accounts/:accountId/suspend',
    { schema: SUSPEND_ACCOUNT },
    (request, reply) => setStatus(request, reply, 'suspended'),
  );

  async function setStatus(
    request: FastifyRequest<AboutAccount>,
    reply: FastifyReply,
    status: 'approved' | 'suspended',
  ) {
    const { accountId } = request.params;
    const { memberId, account } = await setAccountStatus(
      deps,
      callerOf(request),
      accountId,
      status,
    );
    return sendData(reply, showOwnedAccount(memberId, account, clock.now()));
  }
}
