import type { App } from '../app/app.ts';
import { createOperatorWithToken } from '../operators/service.ts';
import { caller, sentTo } from './calls.ts';
import type { ShopName } from './people.ts';
import { createRandom, type Random } from './random.ts';
import { type Ending, storiesOf } from './stories.ts';
import { createTimeline } from './timeline.ts';
import { createWorld, type World } from './world.ts';

/** How far back it goes. */
export const DAYS = 14;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Of a hundred orders. */
const USUAL: Readonly<Partial<Record<Ending, number>>> = {
  paid: 52,
  paidOut: 16,
  paidOutFromPage: 5,
  leftOpen: 8,
  changedTheirMind: 4,
  notReceived: 3,
  neverOpened: 3,
  payoutRefused: 2,
  accountNeverGiven: 2,
  foundByOperations: 2,
  claimedAndPaid: 1,
  notFoundByOperations: 1,
  calledOff: 1,
};

/** Before the end, a little more than the first of them. */
const LAST_HOURS = 5;

/** Minutes before the end, whose order, and where it is at the end. */
type Late = readonly [minutes: number, shop: ShopName, ending: Ending];
/** How the last hours go. */
const LAST: readonly [Late, ...Late[]] = [
  [290, 'Bazaar Online', 'claimedAndTaken'],
  [270, 'Dilli Mart', 'nobodyFound'],
  [260, 'Bazaar Online', 'payoutDeclined'],
  [255, 'Karachi Electronics', 'payoutCalledOff'],
  [250, 'Karachi Electronics', 'claimedInVain'],
  [180, 'Bazaar Online', 'claimed'],
  [120, 'Dilli Mart', 'claimed'],
  [95, 'Bazaar Online', 'inReview'],
  [75, 'Karachi Electronics', 'payoutInDoubt'],
  [62, 'Dilli Mart', 'inReview'],
  [52, 'Karachi Electronics', 'inReview'],
  [40, 'Bazaar Online', 'claimed'],
  [34, 'Bazaar Online', 'payoutInDoubt'],
  [26, 'Bazaar Online', 'beingConfirmed'],
  [24, 'Karachi Electronics', 'escalated'],
  [20, 'Bazaar Online', 'payoutInHand'],
  [12, 'Dilli Mart', 'beingConfirmed'],
  [9, 'Bazaar Online', 'accountNeverGiven'],
  [8, 'Dilli Mart', 'neverOpened'],
  [6, 'Karachi Electronics', 'payoutInHand'],
  [4, 'Dilli Mart', 'beingPaid'],
  [3, 'Dilli Mart', 'waitingForMember'],
  [2, 'Dilli Mart', 'beingPaid'],
];

/**
 * Lives through a fortnight of a small business, on a service whose sandbox clock was set that far
 * back and that listens at `base`, up to the real time.
 */
export async function liveThrough(app: App, base: string): Promise<void> {
  const { clock } = app.deps;
  const send = sentTo(base);
  const make = (username: string, name: string, role: 'admin' | 'support') =>
    createOperatorWithToken(app.deps, { username, name, role }, clock.now());
  const admin = caller(send, (await make('usman.tariq', 'Usman Tariq', 'admin')).token);
  const support = caller(send, (await make('ayesha', 'Ayesha Khan', 'support')).token);
  const random = createRandom(20_261);
  const world = await createWorld(send, admin, support);
  const end = Date.now();
  const storyOf = storiesOf(world, random);
  const timeline = createTimeline({
    now: clock.now,
    async moveTo(at) {
      const seconds = Math.ceil((at - clock.now()) / 1000);
      if (seconds > 0) await admin('POST', '/api/operator/clock/advance', { seconds });
    },
  });
  for (let dayStart = end - DAYS * DAY_MS + HOUR_MS; dayStart < end; dayStart += DAY_MS)
    for (const at of timesOf(random, dayStart))
      if (at < end - LAST_HOURS * HOUR_MS)
        timeline.plan(at, storyOf(shopOf(random), usual(random)));
  timeline.plan(end - 26 * HOUR_MS, () => manage(world));
  // By the time of now: a slow machine has taken minutes so far, and deadlines go by them.
  timeline.plan(end - LAST_HOURS * HOUR_MS, async () => planLastHours(Date.now()));
  await timeline.play();

  function planLastHours(now: number) {
    for (let minutes = LAST[0][0]; minutes > 15; minutes -= random.integer(6, 12))
      timeline.plan(
        now - minutes * MINUTE_MS,
        storyOf(shopOf(random), minutes > 30 ? random.pick(['paid', 'paid', 'paidOut']) : 'paid'),
      );
    for (const [minutes, shop, ending] of LAST)
      timeline.plan(now - minutes * MINUTE_MS, storyOf(shop, ending));
    timeline.plan(now - 30_000, () => close(world));
  }
}

/** A day's orders: few in the morning, most in the evening. */
function timesOf(random: Random, dayStart: number): readonly number[] {
  const count = random.integer(10, 19);
  return Array.from({ length: count }, () => {
    const hour = 8 + 15 * Math.sqrt(random.next());
    return dayStart + (hour % 24) * HOUR_MS;
  });
}

const shopOf = (random: Random): ShopName =>
  random.pick([
    'Bazaar Online',
    'Bazaar Online',
    'Bazaar Online',
    'Karachi Electronics',
    'Karachi Electronics',
    'Dilli Mart',
    'Dhaka Daily',
  ]);

function usual(random: Random): Ending {
  let left = random.integer(1, 100);
  for (const [ending, weight] of Object.entries(USUAL)) {
    left -= weight;
    if (left <= 0) return ending as Ending;
  }
  return 'paid';
}

/** What operators and new members did the day before. */
async function manage({ admin, shops, others }: World): Promise<void> {
  const bazaar = shops.get('Bazaar Online')?.merchantId;
  await admin('POST', `/api/operator/merchants/${bazaar}/adjustments`, {
    kind: 'freeze',
    amount: 20_000,
    reason: 'Settlement of the week',
  });
  const [tariq, farhan] = others as readonly [World['others'][number], World['others'][number]];
  for (const [walletType, accountNumber] of [
    ['ProviderA', '03459081726'],
    ['BankAccount', 'PK36SCBL0000001123456702'],
  ])
    await tariq.call('POST', '/api/member/accounts', {
      walletType,
      accountNumber,
      accountTitle: 'Tariq Mahmood',
    });
  await admin('PATCH', `/api/operator/members/${farhan.memberId}`, { status: 'suspended' });
}

/** The members go home, one request waits for another operator, and a merchant is suspended. */
async function close({ admin, shops, members }: World): Promise<void> {
  const dhaka = shops.get('Dhaka Daily')?.merchantId;
  await admin('PATCH', '/api/operator/settings', { adjustmentApprovalLimit: 100_000 });
  await admin('POST', `/api/operator/merchants/${dhaka}/adjustments`, {
    kind: 'credit',
    amount: 250_000,
    reason: 'Top-up by bank transfer, slip 48213',
  });
  await admin('PATCH', `/api/operator/merchants/${dhaka}`, { status: 'suspended' });
  for (const call of members.values())
    await call('POST', '/api/member/presence', { online: false });
}
