import { type ClockAct, clock } from './clock.ts';
import { type Create, create } from './creation.ts';
import { type CustomerAct, customer } from './customer.ts';
import { isActive } from './four-eyes.ts';
import { type MemberAct, member } from './member.ts';
import { type OrderAct, onOrder, type SetupAct, setUp } from './operator.ts';
import { type Follow, type Model, no, type Verdict } from './state.ts';

/** Everything that can be asked of the service. */
export type Act = Create | CustomerAct | MemberAct | OrderAct | SetupAct | ClockAct | Again;

/**
 * Repeats what an operator or a member did, under the same Idempotency-Key, as the outbox of a phone
 * does; `changed`: with another body.
 */
interface Again {
  readonly act: 'again';
  readonly write: number;
  readonly changed: boolean;
}

/** What operators do under their own name, with an Idempotency-Key. */
export type Write = Extract<Act, { operator: number }>;

const MEMBER_WRITES: readonly Act['act'][] = [
  'member-confirm',
  'member-reject',
  'member-report',
  'member-release',
  'member-note',
  'member-money-seen',
  'member-sending',
  'member-seen',
  'evidence',
];
/** What takes an Idempotency-Key on the operator and the member face. */
const takesKey = (asked: Act) => 'operator' in asked || MEMBER_WRITES.includes(asked.act);

/** Does to the model what the act does to the service. Returns what the service may answer. */
export function perform(model: Model, asked: Act, follow: Follow): Verdict {
  if (asked.act === 'again') return again(model, asked);
  if ('operator' in asked && !isActive(model, asked.operator)) return no('inactive');
  const verdict = does(model, asked, follow);
  // A refusal binds no key (apis.md#repeats).
  if (!takesKey(asked)) return verdict;
  if (verdict.answers.every((answer) => answer === 'ok' || answer === 'pending'))
    model.writes.push({ act: asked, answers: verdict.answers });
  return verdict;
}

/**
 * A repeat does nothing and gets the first answer. Another request under the key is refused
 * (apis.md#repeats).
 */
function again(model: Model, { write, changed }: Again): Verdict {
  const first = model.writes[write];
  if (first === undefined) return no('ok');
  if ('operator' in first.act && !isActive(model, first.act.operator)) return no('inactive');
  if ('member' in first.act && !('operator' in first.act))
    if (model.members[first.act.member ?? '']?.active === false) return no('inactive');
  return changed ? no('beyond') : no(...first.answers);
}

function does(model: Model, asked: Exclude<Act, Again>, follow: Follow): Verdict {
  switch (asked.act) {
    case 'create':
      return create(model, asked, follow);
    case 'open':
    case 'switch':
    case 'payer':
    case 'confirm-payment':
    case 'account':
    case 'cancel-by-customer':
    case 'customer-note':
      return customer(model, asked, follow);
    case 'member-confirm':
    case 'member-reject':
    case 'member-report':
    case 'member-release':
    case 'member-note':
    case 'member-money-seen':
    case 'member-sending':
    case 'member-seen':
    case 'evidence':
      return member(model, asked);
    case 'operator-cancel':
    case 'operator-escalate':
    case 'operator-resolve':
    case 'operator-confirm':
      return onOrder(model, asked);
    case 'deadline':
    case 'assign':
    case 'withdraw':
      return clock(model, asked, follow);
    default:
      return setUp(model, asked);
  }
}
