import {
  MEMBER_ADD_ACCOUNT,
  MEMBER_CHANGE_ACCOUNT,
  MEMBER_LIST_ACCOUNTS,
  MEMBER_PAUSE_ACCOUNT,
  MEMBER_STOP_ACCOUNT,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../people/caller.member.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { doWrite } from '../writes/write.ts';
import { accountFields, showAccount } from './accounts.routes.ts';
import { addAccount, changeOwnAccount, pauseAccount, stopAccount } from './accounts.service.ts';
import { type AccountRecord, listAccounts } from './accounts.store.ts';

/** A member's own accounts: they take orders once an operator has approved them. */
export function accountRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;
  const show = (account: AccountRecord) => showAccount(account, clock.now());

  bind(app, MEMBER_LIST_ACCOUNTS, async ({ member, query }) => {
    const page = pageOf(query);
    const { memberId } = member.principal;
    const rows = await listAccounts(database.pool, { memberId, ...page.place });
    return pageAnswer(page, rows, ({ accountId }) => accountId, show);
  });

  bind(app, MEMBER_ADD_ACCOUNT, async (request) => {
    const { memberId } = request.member.principal;
    const caller = callerOf(request);
    const work = addAccount(caller.actor, memberId, accountFields(request));
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(app, MEMBER_CHANGE_ACCOUNT, async (request) => {
    const { member, params, body } = request;
    const asked = { accountId: params.accountId, change: body };
    const work = changeOwnAccount(member.principal.memberId, asked);
    return { data: await doWrite(deps, callerOf(request), work, show) };
  });

  bind(app, MEMBER_PAUSE_ACCOUNT, async ({ member, params: { accountId }, body, once }) => {
    const account = { memberId: member.principal.memberId, accountId, ...body };
    return { data: show(await pauseAccount(deps, once, account)) };
  });

  bind(app, MEMBER_STOP_ACCOUNT, async ({ member, params: { accountId }, once }) => {
    const { memberId } = member.principal;
    return { data: show(await stopAccount(deps, once, { memberId, accountId })) };
  });
}
