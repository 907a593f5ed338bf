import type { EffectView, Given } from '@munshi/api';
import {
  type Command,
  type CommandKind,
  type CommandOf,
  type Member,
  type Order,
  PLATFORM_MERCHANT_ID,
  type Posting,
  type ResultOf,
  stageOf,
  type Wallet,
} from '@munshi/core';
import type { Deps } from '../people/deps.ts';
import { accepted } from '../platform/refusals.ts';
import type { OperatorCaller } from '../writes/write.ts';
import { type Effect, previewEffect } from './effects.service.ts';

/** Does what an operator decides alone, or answers its effect alone where `?preview=true` asks for it. */
export async function submitOrPreview<Kind extends CommandKind, Shown>(
  deps: Deps,
  { preview, once }: Pick<OperatorCaller, 'preview' | 'once'>,
  command: CommandOf<Kind> & { readonly kind: Kind },
  show: (result: ResultOf<Kind>) => Shown,
): Promise<{ data: Shown | Given<EffectView> }> {
  if (preview) return { data: showEffect(await previewEffect(deps, command as Command)) };
  return { data: show(accepted(await deps.engine.submit<Kind>(command, once))) };
}

export const showEffect = (effect: Effect): Given<EffectView> => ({
  preview: true,
  status: effect.wait === null ? 'done' : 'pendingApproval',
  wait: effect.wait,
  limit: effect.limit,
  order: effect.order && {
    orderId: effect.order.after.orderId,
    orderReference: effect.order.after.orderReference,
    before: showState(effect.order.before, effect.memberNames),
    after: showState(effect.order.after, effect.memberNames),
  },
  postings: effect.postings.map(showPosting),
  wallets: effect.wallets.map(({ before, after, merchantName }) => ({
    merchantId: after.merchantId,
    merchantName,
    before: showSums(before),
    after: showSums(after),
  })),
  floats: effect.floats.map(({ before, after, memberName }) => ({
    memberId: after.memberId,
    memberName,
    before: showFloat(before),
    after: showFloat(after),
  })),
  webhook: effect.webhook && {
    deliveryId: effect.webhook.deliveryId,
    eventType: effect.webhook.eventType,
    url: effect.webhook.url,
    body: effect.webhook.body,
  },
  warnings: effect.warnings.map(({ code, orders }) => ({
    code,
    orders: orders.map(({ orderId, orderReference }) => ({ orderId, orderReference })),
  })),
});

const showState = (order: Order, names: Effect['memberNames']) => ({
  status: order.status,
  stage: stageOf(order),
  memberId: order.memberId,
  memberName: order.memberId === null ? null : (names.get(order.memberId) ?? null),
  dueAt: order.dueAt,
  failureReason: order.failureReason,
});

const showPosting = (posting: Posting) => ({
  kind: posting.kind,
  merchantId: posting.merchantId === PLATFORM_MERCHANT_ID ? null : posting.merchantId,
  memberId: posting.memberId,
  wallet: posting.wallet,
  frozen: posting.frozen,
  memberFloat: posting.memberFloat,
  fees: posting.fees,
  adjustments: posting.adjustments,
  note: posting.note,
});

const showSums = ({ balance, reserved, frozen }: Wallet) => ({
  availableBalance: balance - reserved,
  walletBalance: balance,
  reservedBalance: reserved,
  frozenBalance: frozen,
});

const showFloat = ({ floatBalance, floatHeld, openOrders }: Member) => ({
  floatBalance,
  floatHeld,
  floatFree: floatBalance - floatHeld,
  openOrders,
});
