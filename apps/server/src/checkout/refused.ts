import type { PageField } from '@munshi/api';
import {
  ACCOUNT_NAME_MAX,
  ACCOUNT_NUMBER_MAX,
  type InputProblem,
  type Refusal,
  readDigits,
  showsFormerAccount,
} from '@munshi/core';
import type { Fields } from '../orders/customer-commands.ts';
import type { PageOrder } from '../orders/page.store.ts';
import { switchesSeen } from '../orders/page-version.ts';
import { problemsOf } from './actions.ts';
import type { Returned } from './returned.ts';
import type { Texts } from './texts/en.ts';

/**
 * What a refused form gets back, in the customer's language: beside the field where one is wrong,
 * else above them all.
 */
export function returnedFor(
  refusal: Refusal,
  order: PageOrder,
  fields: Fields,
  texts: Texts,
): Returned {
  const former = formerAccount(order, fields, texts);
  if (former !== undefined) return former;
  const added = refusal.code === 'invalid' ? wrongAddition(order, fields, texts) : undefined;
  if (added !== undefined) return added;
  const problems = refusal.code === 'invalid' ? problemsOf(order, fields) : [];
  if (problems.length > 0) return returnedWith(problems, order, fields, texts);
  return { entered: fields, wrong: {}, notice: noticeText(refusal, texts) };
}

/** Of a payment that is looked for; a whole ID comes back as its last digits, to be sent again. */
function wrongAddition(order: PageOrder, fields: Fields, texts: Texts): Returned | undefined {
  const { correctedDigits, amountSent, paidBy } = fields;
  const count = order.txnRefDigitsRequired;
  if (correctedDigits !== undefined) {
    const meant = readDigits(correctedDigits, count);
    const taken = meant.length === 1 ? meant[0]?.digits : undefined;
    const said = taken === undefined ? texts.wrongDigits(count) : texts.digitsTaken(count, taken);
    return {
      entered: { correctedDigits: taken ?? correctedDigits },
      wrong: { correctedDigits: said },
    };
  }
  if (amountSent !== undefined)
    return { entered: fields, wrong: { amountSent: texts.add.wrongAmount } };
  return paidBy === undefined
    ? undefined
    : { entered: fields, wrong: { paidBy: texts.add.wrongPaidBy } };
}

/**
 * What a form gets back that shows the account of a method that was left. Not the digits: they are
 * of a payment to that account, and must not be confirmed for the present one.
 */
export const formerAccount = (
  order: PageOrder,
  { version }: Fields,
  { accountChanged }: Texts,
): Returned | undefined =>
  showsFormerAccount(order, switchesSeen(version))
    ? { entered: {}, wrong: {}, notice: accountChanged }
    : undefined;

export function returnedWith(
  problems: readonly InputProblem[],
  order: PageOrder,
  entered: Fields,
  texts: Texts,
): Returned {
  const wrong: Partial<Record<PageField, string>> = {};
  for (const problem of problems) wrong[problem.field] = problemText(problem, order, texts);
  return { entered, wrong };
}

function problemText({ field, reason }: InputProblem, order: PageOrder, texts: Texts): string {
  if (field === 'transactionDigits') return texts.wrongDigits(order.txnRefDigitsRequired);
  if (field === 'ibanLast4')
    return order.currency === 'PKR' ? texts.wrongPayerIban : texts.wrongPayerLast4;
  if (order.orderType === 'Deposit') return texts.wrongPayerNumber;
  const ofNumber = field === 'accountNumber';
  if (reason === 'too-short') return texts.tooShort;
  if (reason === 'missing') return ofNumber ? texts.missingNumber : texts.missingName;
  return reason === 'too-long'
    ? texts.tooLong(ofNumber ? ACCOUNT_NUMBER_MAX : ACCOUNT_NAME_MAX)
    : texts.unusable;
}

function noticeText({ code }: Refusal, texts: Texts): string {
  if (code === 'no-member') return texts.nobodyForMethod;
  if (code === 'too-many') return texts.switchesUsed;
  return code === 'invalid' ? texts.methodUnavailable : texts.movedOn;
}
