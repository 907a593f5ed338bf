import { type AddOwnAccount, MEMBER_ADD_ACCOUNT, MEMBER_LIST_ACCOUNTS } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { uuidV7 } from '../../engine/run-batch.ts';
import { findMember, insertAccount } from '../../storage/members.ts';
import type { Deps } from '../deps.ts';
import { sendError } from '../errors.ts';
import { exactNumbers, fieldError, positiveMoney, sendData } from '../json.ts';
import { writeOnce } from '../request-keys.ts';
import { accountJson } from './me.ts';

/** Accounts that may wait for an operator at once. */
const PENDING_MAX = 20;

/** A member's own accounts: they take orders once an operator has approved them. */
export function accountRoutes(app: FastifyInstance, { database, clock }: Deps): void {
  app.get('/accounts', { schema: MEMBER_LIST_ACCOUNTS }, async ({ member }, reply) => {
    const record = await findMember(database.pool, member.principal.memberId);
    const now = clock.now();
    return reply.send({ data: (record?.accounts ?? []).map((account) => accountJson(account, now)), nextCursor: null });
  });

  app.post<{ Body: AddOwnAccount }>('/accounts', { schema: MEMBER_ADD_ACCOUNT }, async (request, reply) => {
    const { walletType, accountTitle, qrPayload = null } = request.body;
    const { memberId } = request.member.principal;
    const limits = exactNumbers(request, { minimumPerOrder: positiveMoney, maximumPerOrder: positiveMoney, maximumPerDay: positiveMoney });
    const { minimumPerOrder = null, maximumPerOrder = null, maximumPerDay = null } = limits;
    if (minimumPerOrder !== null && maximumPerOrder !== null && minimumPerOrder > maximumPerOrder) {
      throw fieldError('minimumPerOrder', 'must not be greater than maximumPerOrder.');
    }
    const accountNumber = request.body.accountNumber.trim();
    const own = (await findMember(database.pool, memberId))?.accounts ?? [];
    if (own.some((account) => account.walletType === walletType && account.accountNumber === accountNumber)) {
      return sendError(reply, 409, `You have this ${walletType} account already.`);
    }
    if (own.filter(({ status }) => status === 'pending').length >= PENDING_MAX) {
      return sendError(reply, 409, `${PENDING_MAX} of your accounts wait for approval. Wait for the operator before you add more.`);
    }
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
    await writeOnce(database.pool, request, async (client) => {
      await insertAccount(client, { ...account, memberId, createdAt: now });
      return { result: undefined, answer: added };
    });
    return sendData(reply, added);
  });
}
