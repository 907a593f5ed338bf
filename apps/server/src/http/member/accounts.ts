import {
  type AddOwnAccount,
  MEMBER_ADD_ACCOUNT,
  MEMBER_LIST_ACCOUNTS,
  type Page,
} from '@munshi/api';
import { type MemberAccount, SUSPENDED, wrongQrPayload } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { uuidV7 } from '../../engine/ids.ts';
import {
  findMember,
  holdActive,
  insertAccount,
  listAccounts,
  lockAccountsOf,
} from '../../storage/members.ts';
import type { Deps } from '../deps.ts';
import { sendError } from '../errors.ts';
import {
  exactNumbers,
  fieldError,
  pageOf,
  positiveMoney,
  Refused,
  sendData,
  sendList,
} from '../json.ts';
import { writeOnce } from '../request-keys.ts';
import { accountJson } from './me.ts';

/** Accounts that may wait for an operator at once. */
const PENDING_MAX = 20;

/** A member's own accounts: they take orders once an operator has approved them. */
export function accountRoutes(app: FastifyInstance, { database, clock }: Deps): void {
  app.get<{ Querystring: Page }>(
    '/accounts',
    { schema: MEMBER_LIST_ACCOUNTS },
    async ({ member, query }, reply) => {
      const page = pageOf(query);
      const rows = await listAccounts(database.pool, {
        memberId: member.principal.memberId,
        after: page.after,
        limit: page.limit + 1,
      });
      const now = clock.now();
      return sendList(
        reply,
        page,
        rows,
        ({ accountId }) => accountId,
        (account) => accountJson(account, now),
      );
    },
  );

  app.post<{ Body: AddOwnAccount }>(
    '/accounts',
    { schema: MEMBER_ADD_ACCOUNT },
    async (request, reply) => {
      const { walletType, accountTitle, qrPayload = null } = request.body;
      const { memberId } = request.member.principal;
      const limits = exactNumbers(request, {
        minimumPerOrder: positiveMoney,
        maximumPerOrder: positiveMoney,
        maximumPerDay: positiveMoney,
      });
      const { minimumPerOrder = null, maximumPerOrder = null, maximumPerDay = null } = limits;
      if (
        minimumPerOrder !== null &&
        maximumPerOrder !== null &&
        minimumPerOrder > maximumPerOrder
      ) {
        throw fieldError('minimumPerOrder', 'must not be greater than maximumPerOrder.');
      }
      const wrongCode = qrPayload === null ? undefined : wrongQrPayload(qrPayload);
      if (wrongCode !== undefined) throw fieldError('qrPayload', wrongCode);
      const accountNumber = request.body.accountNumber.trim();
      const now = clock.now();
      const account = {
        accountId: uuidV7(now),
        walletType,
        accountNumber,
        accountTitle: accountTitle.trim(),
        qrPayload,
        minimumPerOrder,
        maximumPerOrder,
        maximumPerDay,
      };
      const added = accountJson({ ...account, status: 'pending', day: 0, dayAmount: 0n }, now);
      const refusal = await writeOnce(database.pool, request, async (client) => {
        await lockAccountsOf(client, memberId);
        if (!(await holdActive(client, memberId))) throw new Refused('member-suspended', SUSPENDED);
        const wrong = refusalOf((await findMember(client, memberId))?.accounts ?? [], account);
        if (wrong !== undefined) return { result: wrong };
        await insertAccount(client, { ...account, memberId, createdAt: now, createdBy: null });
        return { result: undefined, answer: added };
      });
      return refusal === undefined ? sendData(reply, added) : sendError(reply, 409, refusal);
    },
  );
}

function refusalOf(
  own: readonly MemberAccount[],
  { walletType, accountNumber }: Pick<MemberAccount, 'walletType' | 'accountNumber'>,
): string | undefined {
  if (own.some((other) => other.walletType === walletType && other.accountNumber === accountNumber))
    return `You have this ${walletType} account already.`;
  if (own.filter(({ status }) => status === 'pending').length < PENDING_MAX) return undefined;
  return `${PENDING_MAX} of your accounts wait for approval. Wait for the operator before you add more.`;
}
