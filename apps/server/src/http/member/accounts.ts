import { MEMBER_ADD_ACCOUNT, MEMBER_LIST_ACCOUNTS } from '@munshi/api';
import type { MemberAccount } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { addAccount } from '../../services/member-accounts.ts';
import { listAccounts } from '../../storage/member-accounts.ts';
import { accountFields, showAccount } from '../accounts.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';

/** A member's own accounts: they take orders once an operator has approved them. */
export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;

  bind(app, MEMBER_LIST_ACCOUNTS, async ({ member, query }) => {
    const page = pageOf(query);
    const { memberId } = member.principal;
    const { after, limit } = page;
    const rows = await listAccounts(database.pool, { memberId, after, limit: limit + 1 });
    const now = clock.now();
    const show = (account: MemberAccount) => showAccount(account, now);
    return pageAnswer(page, rows, ({ accountId }) => accountId, show);
  });

  bind(app, MEMBER_ADD_ACCOUNT, async (request) => {
    const { once, boundKey, member } = request;
    const { memberId } = member.principal;
    const caller = { actor: { kind: 'member', id: memberId }, once, boundKey } as const;
    const show = (account: MemberAccount) => showAccount(account, clock.now());
    const fields = accountFields(request);
    return { data: show(await addAccount(deps, caller, memberId, fields, show)) };
  });
}
