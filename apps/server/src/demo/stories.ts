import { type Acts, actsOf } from './acts.ts';
import { CUSTOMERS, type ShopName } from './people.ts';
import type { Random } from './random.ts';
import type { Later, Story } from './timeline.ts';
import type { Shop, World } from './world.ts';

const MINUTE = 60;

/** How orders of the demo's past went. */
const STORIES = {
  async paid(act, later) {
    const order = await act.paid(later);
    await later(act.random.integer(30, 320));
    await act.asMember(order, 'confirm', act.received);
  },
  async paidOut(act, later) {
    const order = await act.withdrawal();
    await later(act.random.integer(2, 25) * MINUTE);
    await act.asMember(order, 'confirm', act.sent());
  },
  async paidOutFromPage(act, later) {
    const order = await act.withdrawalWithoutAccount();
    await later(act.random.integer(20, 200));
    await act.sayWhereTo(order);
    await later(act.random.integer(3, 20) * MINUTE);
    await act.handIn(order, 'confirm', true);
    await act.asMember(order, 'confirm', act.sent());
  },
  async notReceived(act, later) {
    const order = await act.paid(later);
    await later(act.random.integer(4, 20) * MINUTE);
    await act.asMember(order, 'reject', { reason: 'No payment of this amount has arrived.' });
  },
  async payoutRefused(act, later) {
    const order = await act.withdrawal();
    await later(act.random.integer(4, 20) * MINUTE);
    await act.handIn(order, 'reject', false);
    await act.asMember(order, 'reject', { reason: 'The wallet refuses this number.' });
  },
  async leftOpen(act, later) {
    await act.expired(later);
  },
  async neverOpened(act) {
    await act.deposit(act.anyMethod());
  },
  async accountNeverGiven(act) {
    await act.withdrawalWithoutAccount();
  },
  async nobodyFound(act, later) {
    await act.tooLarge(later);
  },
  async payoutDeclined(act, later) {
    const order = await act.withdrawalWithoutAccount();
    await later(90);
    await order.page('cancel');
  },
  async payoutCalledOff(act, later) {
    const order = await act.withdrawalWithoutAccount();
    await later(4 * MINUTE);
    await act.asSupport(order, 'cancel', { note: 'The merchant entered the wrong amount.' });
  },
  async changedTheirMind(act, later) {
    const order = await act.opened(later);
    await later(act.random.integer(20, 200));
    await order.page('cancel');
  },
  async calledOff(act, later) {
    const order = await act.opened(later);
    await later(3 * MINUTE);
    await act.asSupport(order, 'cancel', { note: 'The merchant asked us to stop this order.' });
  },
  async foundByOperations(act, later) {
    const order = await act.paid(later);
    await later(45 * MINUTE);
    await act.asSupport(order, 'resolve', {
      outcome: 'Completed',
      note: 'The member found the payment in the statement; the digits match.',
    });
  },
  async notFoundByOperations(act, later) {
    const order = await act.paid(later);
    await later(55 * MINUTE);
    await act.asSupport(order, 'resolve', {
      outcome: 'Cancelled',
      note: 'No payment in the statement; the customer was told to ask their wallet.',
    });
  },
  async claimedAndPaid(act, later) {
    const order = await act.expired(later);
    await act.claim(order);
    await later(25 * MINUTE);
    await act.asSupport(order, 'confirm', {
      note: 'The transfer arrived two minutes after the end.',
    });
  },
  async claimedInVain(act, later) {
    const order = await act.expired(later);
    const claimId = await act.claim(order);
    await later(90 * MINUTE);
    await act.support('POST', `/api/operator/late-claims/${claimId}/close`, {
      note: 'No such transfer on the account; the customer confirms it never left theirs.',
    });
  },
  // How the last hours left orders.
  async claimedAndTaken(act, later) {
    const order = await act.expired(later);
    const claimId = await act.claim(order);
    await later(10 * MINUTE);
    await act.support('POST', `/api/operator/late-claims/${claimId}/take`);
  },
  async claimed(act, later) {
    await act.claim(await act.expired(later));
  },
  async inReview(act, later) {
    await act.paid(later);
  },
  async escalated(act, later) {
    const order = await act.paid(later);
    await later(6 * MINUTE);
    await act.handIn(order, 'confirm', true);
    await act.asSupport(order, 'escalate', { note: 'The customer wrote that they paid twice.' });
  },
  async payoutInDoubt(act, later) {
    const order = await act.withdrawal({ maxRetryCount: 0 });
    await later(12 * MINUTE);
    await act.asMember(order, 'report', {
      reason: 'The app closed while sending. I am not sure whether it went out.',
    });
    await later(MINUTE);
    await act.handIn(order, 'report', false);
  },
  async payoutInHand(act) {
    await act.withdrawal({ maxRetryCount: 0 });
  },
  async beingPaid(act, later) {
    await act.opened(later, 'ProviderA');
  },
  async beingConfirmed(act, later) {
    await act.paid(later, 'ProviderB');
  },
  async waitingForMember(act, later) {
    await act.tooLarge(later);
  },
} satisfies Record<string, (act: Acts, later: Later) => Promise<void>>;
export type Ending = keyof typeof STORIES;
export const ENDINGS = Object.keys(STORIES) as readonly Ending[];

/** Stories of orders that one merchant's customers make, with amounts and names drawn by chance. */
export function storiesOf(world: World, random: Random): (shop: ShopName, ending: Ending) => Story {
  return (name, ending) => {
    const shop = world.shops.get(name) as Shop;
    const currency = name === 'Dilli Mart' ? 'INR' : name === 'Dhaka Daily' ? 'BDT' : 'PKR';
    const amount =
      currency === 'PKR'
        ? String(random.pick([450, 700, 1200, 1500.5, 2500, 3200, 4999, 7500, 12000, 18000]))
        : String(random.pick([250, 399, 640, 1100, 1850.75, 3000]));
    const customer = random.pick(CUSTOMERS);
    const order = {
      amount,
      currency,
      merchantOrderRef: `${name.slice(0, 2).toUpperCase()}-${random.integer(100_000, 999_999)}`,
      customerReference: customer.toLowerCase().replace(' ', '.'),
    } as const;
    const act = actsOf(world, random, shop, customer, order);
    return (later) => STORIES[ending](act, later);
  };
}
