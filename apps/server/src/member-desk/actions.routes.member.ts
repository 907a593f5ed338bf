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
import type { AccountReader } from '../members/accounts.store.ts';
import type { MemberOrder, MemberOrderReader } from '../members/orders.store.ts';
import type { MemberCaller, MemberFace } from '../people/access.member.ts';
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
export function orderActionRoutes(face: MemberFace, deps: DeskDeps): void {
  bind(
    face,
    MEMBER_CONFIRM_ORDER,
    async (request, caller) => {
      const { receivedAmount = null, transactionReference } = readBody(request, {
        receivedAmount: positiveMoney,
      });
      const command = {
        kind: 'member-confirm',
        ...identityOf(request, caller),
        receivedAmount,
        transactionReference: transactionReference?.trim() ?? null,
      } as const;
      return { data: await submit(command, caller.once) };
    },
    { preValidation: withoutBody },
  );

  bind(face, MEMBER_REJECT_ORDER, async (request, caller) => {
    const { reasonCode } = request.body;
    const command = { kind: 'member-reject', ...reasoned(request, caller), reasonCode } as const;
    return { data: await submit(command, caller.once) };
  });

  for (const { kind, endpoint } of REASONED)
    bind(face, endpoint, async (request, caller) => ({
      data: await submit({ kind, ...reasoned(request, caller) }, caller.once),
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
export function orderSayingRoutes(face: MemberFace, deps: DeskDeps): void {
  bind(face, MEMBER_NOTE_OTHER_AMOUNT, async (request, caller) => {
    const { receivedAmount: amount } = readBody(request, { receivedAmount: positiveMoney });
    const about = { kind: 'otherAmount', amount } as const;
    return { data: await note(request, caller, about) };
  });
  bind(face, MEMBER_NOTE_MONEY_SEEN, async (request, caller) => ({
    data: await note(request, caller, { kind: 'moneySeen' }),
  }));
  bind(face, MEMBER_START_SENDING, async (request, caller) => {
    const command = { kind: 'member-sending', ...identityOf(request, caller) } as const;
    return { data: await say(command, caller.once) };
  });

  function note(
    request: OrderRequest & { readonly body: { readonly note?: string | null } },
    caller: MemberCaller,
    about: CommandOf<'member-note'>['about'],
  ) {
    const text = request.body.note?.trim() ?? null;
    const command = { kind: 'member-note', ...identityOf(request, caller), about, text } as const;
    return say(command, caller.once);
  }

  /** Answers with what the member has said so far. */
  async function say(command: MemberCommand, once: Once): Promise<Given<MemberOrderView>> {
    const order = await decided(deps, command, once);
    return (await readShowing(deps, [order], command.memberId))(order);
  }
}

interface OrderRequest {
  readonly params: { readonly orderId: string };
}

const identityOf = ({ params }: OrderRequest, { once, principal }: MemberCaller) => ({
  commandId: once.commandId,
  orderId: params.orderId,
  memberId: principal.memberId,
});

const reasoned = (
  request: OrderRequest & { readonly body: { readonly reason: string } },
  caller: MemberCaller,
) => ({
  ...identityOf(request, caller),
  reason: request.body.reason.trim(),
});
