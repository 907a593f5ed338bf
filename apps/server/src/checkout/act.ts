import { hasFailed, type Refusal } from '@munshi/core';
import type { FastifyReply } from 'fastify';
import {
  type CustomerCommand,
  commandFor,
  type Fields,
  type PageAction,
} from '../orders/customer-commands.ts';
import { type PageOrder, withChanges } from '../orders/page.store.ts';
import { sendRefusal } from '../platform/http/errors.ts';
import { isRefusal, readFields } from './actions.ts';
import { addressesFor, sendState, wantsJson } from './answers.ts';
import type { PageDeps } from './deps.ts';
import { isShown } from './link.ts';
import {
  findOrder,
  type PageRequest,
  sendBack,
  sendGone,
  sendToPage,
  stateOf,
} from './order-page.ts';
import { returnedFor } from './refused.ts';
import { keptOf } from './returned.ts';

/** Carries out what a customer has asked for, and shows what has become of the order. */
export async function act(
  deps: PageDeps,
  action: PageAction,
  request: PageRequest,
  reply: FastifyReply,
) {
  const found = await findOrder(deps, request);
  const fields = readFields(action, request.body, found?.order);
  const kept = keptOf(fields);
  if (!found?.isShown) return sendGone(request, reply, found, { kept });
  const answer = isRefusal(fields)
    ? fields
    : await carryOut(deps, commandFor(action, found.order, fields), found.order);
  const json = wantsJson(request);
  // A script reads in the answer what counts; a person is shown that this does not.
  const ignored = !json && !isRefusal(answer) && differs(action, kept.entered, answer);
  const outcome = ignored ? IS_FINAL : answer;
  if (!isRefusal(outcome)) {
    if (!json) return sendToPage(request, reply, found.link);
    // It may have expired meanwhile; what was claimed or added is in the database alone.
    const now =
      hasFailed(outcome.status) || action === 'add'
        ? await findOrder(deps, request)
        : { ...found, order: outcome, isShown: isShown(outcome, deps.clock.now()) };
    return now?.isShown
      ? sendState(reply, stateOf(deps, now, request))
      : sendGone(request, reply, now);
  }
  // What the order has become since, by another command or by time.
  const after = await findOrder(deps, request);
  if (!after?.isShown || outcome.code === 'link-expired')
    return sendGone(request, reply, after, { kept });
  if (json) return sendRefusal(reply, outcome);
  const { texts } = addressesFor(request, after.link).language;
  const returned = returnedFor(outcome, after.order, kept.entered, texts);
  return sendBack(deps, request, reply, outcome.code === 'invalid' ? 400 : 409, after, returned);
}

const IS_FINAL: Refusal = { code: 'wrong-state', message: 'What was sent before is final.' };

/** Whether other digits, or another account, have been sent before. */
const differs = (
  action: PageAction,
  { transactionDigits, accountNumber }: Fields,
  order: PageOrder,
): boolean =>
  action === 'confirm'
    ? order.transactionDigits !== null && order.transactionDigits !== transactionDigits
    : action === 'account' && order.customerAccountNumber !== accountNumber?.trim();

/** Answers the order as the command has left it. */
async function carryOut(
  { engine, readers }: PageDeps,
  asked: CustomerCommand | 'nothing' | Refusal,
  before: PageOrder,
): Promise<PageOrder | Refusal> {
  if (asked === 'nothing') return before;
  if (!('kind' in asked)) return asked;
  const decision = await engine.submit(asked);
  if (!decision.ok) return decision.refusal;
  const order = decision.result;
  const account = order.accountId === null ? undefined : await readers.account(order.accountId);
  // Whether its code takes the amount can change: it is not kept with the account.
  const read = account?.qrPayload == null ? undefined : await readers.pageOrder(order.orderId);
  if (read !== undefined) return read;
  return withChanges(before, order, account);
}
