import { readClaimedDigits } from '@munshi/core';
import type { FastifyReply } from 'fastify';
import { claimLate } from '../late-claims/service.ts';
import { sendRefusal } from '../platform/http/errors.ts';
import { readFields } from './actions.ts';
import { addressesFor, sendInvalidLink, wantsJson } from './answers.ts';
import type { PageDeps } from './deps.ts';
import { findOrder, type PageRequest, sendBack, sendGone, sendToPage } from './order-page.ts';
import { askedAgain, keptOf } from './returned.ts';
import { LANGUAGES } from './texts/languages.ts';

/**
 * What a customer says they paid for a deposit that has ended without it, for the operators to
 * look into. Saying it again is saying it once. The order's page shows what was said.
 */
export async function claim(deps: PageDeps, request: PageRequest, reply: FastifyReply) {
  const found = await findOrder(deps, request);
  if (found === undefined) return sendInvalidLink(request, reply);
  const { entered } = keptOf(readFields('claim', request.body, undefined));
  const digits = entered.transactionDigits ?? '';
  const { order, late } = found;
  const outcome = await claimLate(deps, order, late, digits, deps.clock.now());
  const json = wantsJson(request);
  const { texts } = addressesFor(request, found.link).language;
  const english = LANGUAGES.en.texts;
  switch (outcome) {
    case 'recorded':
    case 'already':
      return json
        ? reply.send({ data: { claimed: true } })
        : sendToPage(request, reply, found.link);
    case 'invalid-digits':
      if (json) return sendRefusal(reply, { code: 'invalid', message: english.wrongClaim });
      return sendBack(
        deps,
        request,
        reply,
        400,
        found,
        askedAgain(entered, readClaimedDigits(digits), texts.wrongClaim, texts),
      );
    case 'taken-up':
    case 'too-many':
      if (json)
        return sendRefusal(reply, {
          code: outcome === 'too-many' ? 'too-many' : 'wrong-state',
          message: english.claimsFull,
        });
      return sendBack(deps, request, reply, 409, found, {
        entered,
        wrong: {},
        notice: texts.claimsFull,
      });
    case 'not-claimable':
      if (json)
        return sendRefusal(reply, {
          code: 'wrong-state',
          message: 'This order takes no late claim.',
        });
      return found.isShown
        ? sendToPage(request, reply, found.link)
        : sendGone(request, reply, found);
  }
}
