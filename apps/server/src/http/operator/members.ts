import {
  ADD_ACCOUNT,
  ADJUST_FLOAT,
  type AddAccount,
  type AdjustFloat,
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
import { type Instant, type MemberAccount, type Money, usedOn, wrongQrPayload } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { uuidV7 } from '../../engine/ids.ts';
import { takeWithdrawnDeposits } from '../../services/withdrawn-deposits.ts';
import {
  findAccountCreator,
  findAccountOwner,
  findMember,
  insertAccount,
  insertMember,
  listMembers,
  type MemberRecord,
} from '../../storage/members.ts';
import { readPlatformSettings } from '../../storage/platform-settings.ts';
import type { Deps } from '../deps.ts';
import { sendRefusal } from '../errors.ts';
import {
  exactNumbers,
  fieldError,
  jsonMoney,
  jsonMoneyOrNull,
  jsonTime,
  moneyOrZero,
  pageOf,
  positiveMoney,
  Refused,
  sendData,
  sendList,
  signedMoney,
} from '../json.ts';
import { hashNewPassword } from '../new-password.ts';
import { actOnly, actOrAsk, requireAlone } from './second-operator.ts';
import { found, recordedWrite, refuseTaken } from './write.ts';

interface MemberParams {
  readonly memberId: string;
}

const OPEN_ORDERS_DEFAULT = 10;

const showAccount = (memberId: string, account: MemberAccount, at: Instant) => ({
  accountId: account.accountId,
  memberId,
  walletType: account.walletType,
  accountNumber: account.accountNumber,
  accountTitle: account.accountTitle,
  qrPayload: account.qrPayload,
  status: account.status,
  minimumPerOrder: jsonMoneyOrNull(account.minimumPerOrder),
  maximumPerOrder: jsonMoneyOrNull(account.maximumPerOrder),
  maximumPerDay: jsonMoneyOrNull(account.maximumPerDay),
  usedToday: jsonMoney(usedOn(account, at)),
});

const showAdded = (
  memberId: string,
  account: Omit<MemberAccount, 'status' | 'day' | 'dayAmount'>,
) => showAccount(memberId, { ...account, status: 'pending', day: 0, dayAmount: 0n }, 0);

const show = (member: MemberRecord, at: Instant) => ({
  memberId: member.memberId,
  name: member.name,
  username: member.username,
  status: member.status,
  online: member.online,
  maxOpenOrders: member.maxOpenOrders,
  openOrders: member.openOrders,
  floatBalance: jsonMoney(member.floatBalance),
  floatHeld: jsonMoney(member.floatHeld),
  floatOverdrawn: member.floatOverdrawn,
  lastAssignedAt: jsonTime(member.lastAssignedAt),
  createdAt: jsonTime(member.createdAt),
  accounts: member.accounts.map((account) => showAccount(member.memberId, account, at)),
});

/** Members: who they are, what they may take on, and their status. */
export function memberRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, engine, clock } = deps;
  const shown = async (memberId: string) =>
    show(found(await findMember(database.pool, memberId), 'Member'), clock.now());

  app.post<{ Body: CreateMember }>(
    '/members',
    { schema: CREATE_MEMBER },
    async (request, reply) => {
      const { name, username, password, maxOpenOrders = OPEN_ORDERS_DEFAULT } = request.body;
      const passwordHash = await hashNewPassword(password);
      const memberId = await recordedWrite(deps, request, async (client, now) => {
        const result = uuidV7(now);
        const taken = refuseTaken(`The username ${username} is taken.`);
        await insertMember(client, {
          memberId: result,
          name,
          username,
          passwordHash,
          maxOpenOrders,
          createdAt: now,
        }).catch(taken);
        return {
          result,
          answer: show(found(await findMember(client, result), 'Member'), now),
          action: 'member.create',
          target: result,
          detail: { name, username, maxOpenOrders },
        };
      });
      return sendData(reply, await shown(memberId));
    },
  );

  app.patch<{ Params: MemberParams; Body: ChangeMember }>(
    '/members/:memberId',
    { schema: CHANGE_MEMBER },
    async (request, reply) => {
      const { memberId } = request.params;
      const { name, username, password, maxOpenOrders, status } = request.body;
      found(await findMember(database.pool, memberId), 'Member');
      if (name !== undefined || username !== undefined || password !== undefined) {
        const others = maxOpenOrders !== undefined || status !== undefined;
        if (password !== undefined && others) await requireAlone(database.pool);
        const hidden =
          password === undefined ? null : { passwordHash: await hashNewPassword(password) };
        const asked = {
          memberId,
          ...(name !== undefined && { name }),
          ...(username !== undefined && { username }),
          ...(hidden && { password: 'a new one' }),
        };
        const answered = () => shown(memberId);
        const act = {
          kind: 'member-password',
          target: memberId,
          request: asked,
          hidden,
          waits: hidden !== null,
          answered,
        } as const;
        if (!others) return actOrAsk(deps, request, reply, act);
        await actOnly(deps, request, act);
      }
      if (maxOpenOrders !== undefined || status !== undefined) {
        const change = {
          ...(maxOpenOrders !== undefined && { maxOpenOrders }),
          ...(status !== undefined && { status }),
        };
        const { actor } = request.operator;
        const decision = await engine.submit(
          { kind: 'update-member', commandId: request.once.commandId, memberId, ...change, actor },
          request.once,
        );
        if (!decision.ok) return sendRefusal(reply, decision.refusal);
        if (status === 'suspended') {
          deps.notices.sessionsEnded(memberId);
          // Before the operator is answered; once a minute for what a crash in between leaves
          // behind.
          await takeWithdrawnDeposits(deps);
        }
      }
      return sendData(reply, await shown(memberId));
    },
  );

  app.get<{ Params: MemberParams }>(
    '/members/:memberId',
    { schema: READ_MEMBER },
    async (request, reply) => sendData(reply, await shown(request.params.memberId)),
  );

  app.get<{ Querystring: ListMembers }>(
    '/members',
    { schema: LIST_MEMBERS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { search = null, status = null, online = null, accountStatus = null } = request.query;
      const rows = await listMembers(database.pool, {
        search,
        status,
        online,
        accountStatus,
        after: page.after,
        limit: page.limit + 1,
      });
      const now = clock.now();
      return sendList(
        reply,
        page,
        rows,
        ({ memberId }) => memberId,
        (member) => show(member, now),
      );
    },
  );

  app.post<{ Params: MemberParams; Body: AdjustFloat }>(
    '/members/:memberId/float-adjustments',
    { schema: ADJUST_FLOAT },
    async (request, reply) => {
      const { memberId } = request.params;
      const { reason } = request.body;
      const amount = exactNumbers(request, { amount: signedMoney }).amount as Money;
      const { commandId } = request.once;
      const decision = await engine.submit(
        {
          kind: 'adjust-float',
          commandId,
          memberId,
          amount,
          reason,
          actor: request.operator.actor,
        },
        request.once,
      );
      if (!decision.ok) return sendRefusal(reply, decision.refusal);
      const { status, approvalId, member } = decision.result;
      if (status === 'pendingApproval') return sendData(reply, { status, approvalId });
      const { floatBalance, floatHeld } = member;
      return sendData(reply, {
        status,
        postingId: commandId,
        memberId,
        amount: jsonMoney(amount),
        floatBalance: jsonMoney(floatBalance),
        floatHeld: jsonMoney(floatHeld),
      });
    },
  );
}

/** Accounts of members: added pending, approved or suspended by an operator. */
export function memberAccountRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, engine, clock } = deps;

  app.post<{ Params: MemberParams; Body: AddAccount }>(
    '/members/:memberId/accounts',
    { schema: ADD_ACCOUNT },
    async (request, reply) => {
      const { memberId } = request.params;
      const { walletType, accountNumber, accountTitle, qrPayload = null } = request.body;
      const {
        minimumPerOrder = null,
        maximumPerOrder = null,
        maximumPerDay = null,
      } = exactNumbers(request, {
        minimumPerOrder: moneyOrZero,
        maximumPerOrder: positiveMoney,
        maximumPerDay: positiveMoney,
      });
      if (
        minimumPerOrder !== null &&
        maximumPerOrder !== null &&
        minimumPerOrder > maximumPerOrder
      ) {
        throw fieldError('maximumPerOrder', 'must not be less than minimumPerOrder.');
      }
      const wrongCode = qrPayload === null ? undefined : wrongQrPayload(qrPayload);
      if (wrongCode !== undefined) throw fieldError('qrPayload', wrongCode);
      found(await findMember(database.pool, memberId), 'Member');
      const account = await recordedWrite(deps, request, async (client, now) => {
        const result = {
          accountId: uuidV7(now),
          walletType,
          accountNumber,
          accountTitle,
          qrPayload,
          minimumPerOrder,
          maximumPerOrder,
          maximumPerDay,
        };
        await insertAccount(client, {
          ...result,
          memberId,
          createdAt: now,
          createdBy: request.operator.operatorId,
        });
        return {
          result,
          answer: showAdded(memberId, result),
          action: 'account.create',
          target: result.accountId,
          detail: { memberId, walletType },
        };
      });
      return sendData(reply, showAdded(memberId, account));
    },
  );

  app.post<{ Params: { accountId: string } }>(
    '/member-accounts/:accountId/approve',
    { schema: APPROVE_ACCOUNT },
    (request, reply) => setStatus(request, reply, 'approved'),
  );
  app.post<{ Params: { accountId: string } }>(
    '/member-accounts/:accountId/suspend',
    { schema: SUSPEND_ACCOUNT },
    (request, reply) => setStatus(request, reply, 'suspended'),
  );

  async function setStatus(
    request: FastifyRequest<{ Params: { accountId: string } }>,
    reply: FastifyReply,
    status: 'approved' | 'suspended',
  ) {
    const { accountId } = request.params;
    const memberId = found(await findAccountOwner(database.pool, accountId), 'Account');
    if (status === 'approved')
      await requireOtherThanCreator(accountId, request.operator.operatorId);
    const { actor } = request.operator;
    const decision = await engine.submit(
      {
        kind: 'update-member',
        commandId: request.once.commandId,
        memberId,
        account: { accountId, status },
        actor,
      },
      request.once,
    );
    if (!decision.ok) return sendRefusal(reply, decision.refusal);
    if (status === 'suspended') await takeWithdrawnDeposits(deps);
    // Read again: deposits that have left the account gave its day back.
    const member = found(await findMember(database.pool, memberId), 'Member');
    const account = found(
      member.accounts.find((one) => one.accountId === accountId),
      'Account',
    );
    return sendData(reply, showAccount(memberId, account, clock.now()));
  }

  /** Whoever adds an account does not approve it (D66). */
  async function requireOtherThanCreator(accountId: string, operatorId: string) {
    const { requireSecondOperator } = await readPlatformSettings(database.pool);
    if (
      requireSecondOperator &&
      (await findAccountCreator(database.pool, accountId)) === operatorId
    ) {
      throw new Refused(
        'second-operator',
        'An account must be approved by another operator than the one who added it.',
      );
    }
  }
}
