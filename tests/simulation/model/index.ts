import { type ClockAct, clock } from './clock.ts';
import { type Create, create } from './creation.ts';
import { type CustomerAct, customer } from './customer.ts';
import { type MemberAct, member } from './member.ts';
import { type OrderAct, onOrder, type SetupAct, setUp } from './operator.ts';
import type { Follow, Model, Verdict } from './state.ts';

/** Everything that can be asked of the service. */
export type Act = Create | CustomerAct | MemberAct | OrderAct | SetupAct | ClockAct;

/** Does to the model what the act does to the service, and says what may be answered. */
export function perform(model: Model, asked: Act, follow: Follow): Verdict {
  switch (asked.act) {
    case 'create':
      return create(model, asked, follow);
    case 'open':
    case 'switch':
    case 'payer':
    case 'confirm-payment':
    case 'account':
    case 'cancel-by-customer':
      return customer(model, asked, follow);
    case 'member-confirm':
    case 'member-reject':
    case 'member-report':
    case 'member-release':
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
