import type { FastifyReply } from 'fastify';
import type { Deps } from '../platform/http/deps.ts';
import { sendRefusal } from '../platform/http/errors.ts';
import { isRefusal, lastDigits, problemsOf, readFields, warningsOf } from './actions.ts';
import { addressesFor, sendChecked, wantsJson } from './answers.ts';
import { leftToRight } from './format.ts';
import {
  enteredDigits,
  findOrder,
  type PageRequest,
  sendGone,
  sendPage,
  sendToPage,
  stateOf,
} from './order-page.ts';
import { returnedWith } from './refused.ts';

/**
 * Reads back what was entered before it counts. Changes nothing; an order that asks for nothing
 * of it shows itself.
 */
export async function check(deps: Deps, request: PageRequest, reply: FastifyReply) {
  const found = await findOrder(deps, request);
  const fields = readFields(request.body);
  if (!found?.isShown) return sendGone(request, reply, found, undefined, enteredDigits(fields));
  if (isRefusal(fields)) throw Object.assign(new Error(fields.message), { statusCode: 400 });
  const state = stateOf(deps, found, request);
  const asks = state.view === 'pay' || state.view === 'account';
  const problems = asks ? problemsOf(found.order, fields) : [];
  const [problem] = problems;
  const suggestion = lastDigits(fields['transactionDigits'], state.transactionDigits);
  const warnings = warningsOf(found.order, fields);
  if (wantsJson(request))
    return problem === undefined
      ? sendChecked(reply, state, warnings)
      : sendRefusal(reply, { code: 'invalid', message: problem.message });
  if (!asks) return sendToPage(request, reply, found.link);
  const { texts } = addressesFor(request, found.link).language;
  if (fields['edit'] !== undefined)
    return sendPage(deps, request, reply, 200, found, { entered: fields, wrong: {} });
  if (problem !== undefined && suggestion !== undefined)
    return sendPage(deps, request, reply, 400, found, {
      entered: { ...fields, transactionDigits: suggestion },
      wrong: {
        transactionDigits: texts.digitsTaken(suggestion.length, leftToRight(suggestion)),
      },
    });
  if (problem !== undefined)
    return sendPage(
      deps,
      request,
      reply,
      400,
      found,
      returnedWith(problems, found.order, fields, texts),
    );
  return sendPage(
    deps,
    request,
    reply,
    200,
    found,
    { entered: fields, wrong: {}, warnings },
    'check',
  );
}
