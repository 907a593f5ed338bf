import { accountKey, FORMER_ACCOUNT, type MeantDigits, readDigits } from '@munshi/core';
import type { FastifyReply } from 'fastify';
import type { Fields } from '../orders/customer-commands.ts';
import { sendRefusal } from '../platform/http/errors.ts';
import { isRefusal, problemsOf, readFields, warningsOf } from './actions.ts';
import { addressesFor, sendChecked, wantsJson } from './answers.ts';
import type { PageDeps } from './deps.ts';
import {
  findOrder,
  type PageRequest,
  sendBack,
  sendGone,
  sendPage,
  sendToPage,
  stateOf,
} from './order-page.ts';
import { formerAccount, returnedWith } from './refused.ts';
import { askedAgain, keptOf, type Returned } from './returned.ts';
import type { PageState, Screen } from './view.ts';

/**
 * Reads back what was entered before it counts: of a pasted message its digits alone. Changes
 * nothing; an order that asks for nothing of it shows itself.
 */
export async function check(deps: PageDeps, request: PageRequest, reply: FastifyReply) {
  const found = await findOrder(deps, request);
  const fields = readFields('check', request.body, found?.order);
  const kept = keptOf(fields);
  if (!found?.isShown) return sendGone(request, reply, found, { kept });
  if (isRefusal(fields)) throw Object.assign(new Error(fields.message), { statusCode: 400 });
  const { texts } = addressesFor(request, found.link).language;
  const former = formerAccount(found.order, fields, texts);
  if (former !== undefined)
    return wantsJson(request)
      ? sendRefusal(reply, { code: 'wrong-state', message: FORMER_ACCOUNT })
      : sendBack(deps, request, reply, 409, found, former);
  const state = stateOf(deps, found, request);
  const asks = state.view === 'pay' || state.view === 'account';
  const meant = meantDigits(state, fields);
  const [first] = meant;
  const one = meant.length === 1 ? first : undefined;
  const read = one === undefined ? fields : { ...fields, transactionDigits: one.digits };
  const problems = asks ? problemsOf(found.order, read) : [];
  const [problem] = problems;
  const warnings = warningsOf(found.order, fields);
  if (wantsJson(request))
    return problem === undefined || meant.length > 1
      ? sendChecked(reply, state, { warnings, digits: meant.map(({ digits }) => digits) })
      : sendRefusal(reply, { code: 'invalid', message: problem.message });
  if (!asks) return sendToPage(request, reply, found.link);
  const show = (returned: Returned, screen?: Screen) =>
    sendPage(deps, request, reply, 200, found, returned, screen);
  if (fields.edit !== undefined) return show(kept);
  const taken = one !== undefined && one.id !== one.digits ? { taken: one } : {};
  if (problem === undefined) return show({ ...kept, entered: read, warnings, ...taken }, 'check');
  const returned = returnedWith(problems, found.order, fields, texts);
  const { transactionDigits: wrong } = returned.wrong;
  return sendBack(
    deps,
    request,
    reply,
    400,
    found,
    wrong === undefined ? returned : askedAgain(fields, meant, wrong, texts),
  );
}

/** A customer who pastes the account to pay to where the digits go has no ID yet. */
function meantDigits(
  { transactionDigits: count, account }: PageState,
  { transactionDigits: text }: Fields,
): readonly MeantDigits[] {
  if (count === null || text === undefined) return [];
  const isAccount =
    account?.accountNumber && accountKey(text) === accountKey(account.accountNumber);
  return isAccount ? [] : readDigits(text, count);
}
