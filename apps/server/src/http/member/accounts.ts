import {
  type AddOwnAccount,
  MEMBER_ADD_ACCOUNT,
  MEMBER_LIST_ACCOUNTS,
  type Page,
} from '@munshi/api';
import type { MemberAccount } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { addAccount } from '../../services/member-accounts.ts';
import { listAccounts } from '../../storage/member-accounts.ts';
import { accountFields, showAccount } from '../accounts.ts';
import type { Deps } from '../deps.ts';
import { pageOf, sendData, sendList } from '../json.ts';

/** A member's own accounts: they take orders once an operator has approved them. */
export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;

  app.get<{ Querystring: Page }>(
    '/accounts',
    { schema: MEMBER_LIST_ACCOUNTS },
    async ({ member, query }, reply) => {
      const page = pageOf(query);
      const { memberId } = member.principal;
      const { after, limit } = page;
      const rows = await listAccounts(database.pool, { memberId, after, limit: limit + 1 });
      const now = clock.now();
      const show = (account: MemberAccount) => showAccount(account, now);
      return sendList(reply, page, rows, ({ accountId }) => accountId, show);
    },
  );

  app.post<{ Body: AddOwnAccount }>(
    '/accounts',
    { schema: MEMBER_ADD_ACCOUNT },
    async (request, reply) => {
      const { once, boundKey, member } = request;
      const { memberId } = member.principal;
      const caller = { actor: { kind: 'member', id: memberId }, once, boundKey } as const;
      const show = (account: MemberAccount) => showAccount(account, clock.now());
      const account = await addAccount(deps, caller, memberId, accountFields(request), show);
      return sendData(reply, show(account));
    },
  );
}
