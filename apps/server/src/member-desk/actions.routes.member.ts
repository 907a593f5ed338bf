import {
  type Given,
  MEMBER_CONFIRM_ORDER,
  MEMBER_NOTE_MONEY_SEEN,
  MEMBER_NOTE_OTHER_AMOUNT,
  MEMBER_REJECT_ORDER,
  MEMBER_RELEASE_ORDER,
  MEMBER_REPORT_ORDER,
  MEMBER_START_SENDING,
  type MemberOrderView,
} from '@munshi/api';
import type { CommandOf } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccountReader } from '../members/accounts.store.ts';
import type { MemberOrder, MemberOrderReader } from '../members/orders.store.ts';
import type { Deps } from '../people/deps.ts';
import { bind, withoutBody } from '../platform/http/bind.ts';
import { positiveMoney, readBody } from '../platform/http/values.ts';
import { accepted } from '../platform/refusals.ts';
import type { Once } from '../writes/write.ts';
import { readShowing, showOrder } from './view.member.ts';

type DeskDeps = Deps & { readonly readers: MemberOrderReader & AccountReader };

type MemberCommand = CommandOf<
  | 'member-confirm'
  | 'member-note'
  | 'member-reject'
  | 'member-release'
  | 'member-report'
  | 'member-sending'
>;

const REASONED = [
  { kind: 'member-report', endpoint: MEMBER_REPORT_ORDER },
  { kind: 'member-release', endpoint: MEMBER_RELEASE_ORDER },
] as const;

/** What a member does with an order in hand. What it answers needs no further reading. */
export function orderActionRoutes(app: FastifyInstance, deps: DeskDeps): void {
  bind(
    app,
    MEMBER_CONFIRM_ORDER,
    async (request) => {
      const { params, member, once } = request;
      const { receivedAmount = null, transactionReference } = readBody(request, {
        receivedAmount: positiveMoney,
      });
      const command = {
        kind: 'member-confirm',
        commandId: once.commandId,
        orderId: params.orderId,
        memberId: member.principal.memberId,
        receivedAmount,
        transactionReference: transactionReference?.trim() ?? null,
      } as const;
      return { data: await submit(command, once) };
    },
    { preValidation: withoutBody },
  );

  bind(app, MEMBER_REJECT_ORDER, async (request) => {
    const { reasonCode } = request.body;
    const command = { kind: 'member-reject', ...reasoned(request), reasonCode } as const;
    return { data: await submit(command, request.once) };
  });

  for (const { kind, endpoint } of REASONED)
    bind(app, endpoint, async (request) => ({
      data: await submit({ kind, ...reasoned(request) }, request.once),
    }));

  async function submit(command: MemberCommand, once: Once): Promise<Given<MemberOrderView>> {
    return showOrder(await decided(deps, command, once), command.memberId);
  }
}

/**
 * The order as the command has left it. It is not read again: a moment later it may be somebody
 * else's, and what was done would be answered with "not found".
 */
async function decided(deps: DeskDeps, command: MemberCommand, once: Once): Promise<MemberOrder> {
  const order = accepted(await deps.engine.submit(command, once));
  const accountId = order.memberId === command.memberId ? order.accountId : null;
  const account = accountId === null ? undefined : await deps.readers.account(accountId);
  return { ...order, account: account ?? null };
}

/** What a member says of an order, which stays in hand. */
export function orderSayingRoutes(app: FastifyInstance, deps: DeskDeps): void {
  bind(app, MEMBER_NOTE_OTHER_AMOUNT, async (request) => {
    const { receivedAmount: amount } = readBody(request, { receivedAmount: positiveMoney });
    const about = { kind: 'otherAmount', amount } as const;
    return { data: await note(request, about) };
  });
  bind(app, MEMBER_NOTE_MONEY_SEEN, async (request) => ({
    data: await note(request, { kind: 'moneySeen' }),
  }));
  bind(app, MEMBER_START_SENDING, async (request) => {
    const command = { kind: 'member-sending', ...identityOf(request) } as const;
    return { data: await say(command, request.once) };
  });

  function note(
    request: OrderRequest & { readonly body: { readonly note?: string | null } },
    about: CommandOf<'member-note'>['about'],
  ) {
    const text = request.body.note?.trim() ?? null;
    const command = { kind: 'member-note', ...identityOf(request), about, text } as const;
    return say(command, request.once);
  }

  /** Answers with what the member has said so far. */
  async function say(command: MemberCommand, once: Once): Promise<Given<MemberOrderView>> {
    const order = await decided(deps, command, once);
    return (await readShowing(deps, [order], command.memberId))(order);
  }
}

type OrderRequest = Pick<FastifyRequest, 'member' | 'once'> & {
  readonly params: { readonly orderId: string };
};

const identityOf = ({ params, member, once }: OrderRequest) => ({
  commandId: once.commandId,
  orderId: params.orderId,
  memberId: member.principal.memberId,
});

const reasoned = (request: OrderRequest & { readonly body: { readonly reason: string } }) => ({
  ...identityOf(request),
  reason: request.body.reason.trim(),
});
