import {
  MEMBER_ADD_ACCOUNT,
  MEMBER_CHANGE_ACCOUNT,
  MEMBER_LIST_ACCOUNTS,
  MEMBER_PAUSE_ACCOUNT,
  MEMBER_STOP_ACCOUNT,
} from '@munshi/api';
import type { MemberFace } from '../people/access.member.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { doWrite } from '../writes/write.ts';
import { accountFields, showAccount } from './accounts.routes.ts';
import { addAccount, changeOwnAccount, pauseAccount, stopAccount } from './accounts.service.ts';
import { type AccountRecord, listAccounts } from './accounts.store.ts';

/** A member's own accounts: they take orders once an operator has approved them. */
export function accountRoutes(face: MemberFace, deps: Deps): void {
  const { database, clock } = deps;
  const show = (account: AccountRecord) => showAccount(account, clock.now());

  bind(face, MEMBER_LIST_ACCOUNTS, async ({ query }, caller) => {
    const page = pageOf(query);
    const { memberId } = caller.principal;
    const rows = await listAccounts(database.pool, { memberId, ...page.place });
    return pageAnswer(page, rows, ({ accountId }) => accountId, show);
  });

  bind(face, MEMBER_ADD_ACCOUNT, async (request, caller) => {
    const { memberId } = caller.principal;
    const work = addAccount(caller.actor, memberId, accountFields(request));
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(face, MEMBER_CHANGE_ACCOUNT, async ({ params, body }, caller) => {
    const asked = { accountId: params.accountId, change: body };
    const work = changeOwnAccount(caller.principal.memberId, asked);
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(face, MEMBER_PAUSE_ACCOUNT, async ({ params: { accountId }, body }, caller) => {
    const account = { memberId: caller.principal.memberId, accountId, ...body };
    return { data: show(await pauseAccount(deps, caller.once, account)) };
  });

  bind(face, MEMBER_STOP_ACCOUNT, async ({ params: { accountId } }, caller) => {
    const { memberId } = caller.principal;
    return { data: show(await stopAccount(deps, caller.once, { memberId, accountId })) };
  });
}
