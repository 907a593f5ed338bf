import { FORMER_ACCOUNT, lastDigits } from '@munshi/core';
import type { FastifyReply } from 'fastify';
import { sendRefusal } from '../platform/http/errors.ts';
import { isRefusal, problemsOf, readFields, warningsOf } from './actions.ts';
import { addressesFor, sendChecked, wantsJson } from './answers.ts';
import type { PageDeps } from './deps.ts';
import { leftToRight } from './format.ts';
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
import { keptOf, type Returned } from './returned.ts';
import type { Screen } from './view.ts';

/**
 * Reads back what was entered before it counts. Changes nothing; an order that asks for nothing
 * of it shows itself.
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
  const problems = asks ? problemsOf(found.order, fields) : [];
  const [problem] = problems;
  const suggestion =
    state.transactionDigits === null
      ? undefined
      : lastDigits(fields.transactionDigits ?? '', state.transactionDigits);
  const warnings = warningsOf(found.order, fields);
  if (wantsJson(request))
    return problem === undefined
      ? sendChecked(reply, state, warnings)
      : sendRefusal(reply, { code: 'invalid', message: problem.message });
  if (!asks) return sendToPage(request, reply, found.link);
  const show = (returned: Returned, screen?: Screen) =>
    sendPage(deps, request, reply, 200, found, returned, screen);
  const giveBack = (returned: Returned) => sendBack(deps, request, reply, 400, found, returned);
  if (fields.edit !== undefined) return show(kept);
  if (problem === undefined) return show({ ...kept, warnings }, 'check');
  if (suggestion === undefined) return giveBack(returnedWith(problems, found.order, fields, texts));
  return giveBack({
    entered: { ...fields, transactionDigits: suggestion },
    wrong: { transactionDigits: texts.digitsTaken(suggestion.length, leftToRight(suggestion)) },
  });
}
