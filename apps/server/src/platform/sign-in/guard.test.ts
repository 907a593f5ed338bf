import { describe, expect, test } from 'vitest';
import { TooManyTries } from '../refusals.ts';
import { createSignInGuard, type SignInTry } from './guard.ts';
import { hashing } from './passwords.ts';

const wrong = async () => false;
const right = async () => true;
const tried = (given: Partial<SignInTry> = {}): SignInTry => ({
  account: 'member aisha',
  network: '203.0.113.9',
  known: false,
  ...given,
});
const GIVEN_WAY = { ok: true, verified: true };

/** A check that lasts until it is let go, and how many run. */
function slowCheck() {
  const running: (() => void)[] = [];
  let most = 0;
  return {
    verify: () =>
      new Promise<boolean>((resolve) => {
        running.push(() => resolve(true));
        most = Math.max(most, running.length);
      }),
    letGo: () => running.shift()?.(),
    most: () => most,
    count: () => running.length,
  };
}

async function fail(
  guard: ReturnType<typeof createSignInGuard>,
  times: number,
  given: (at: number) => Partial<SignInTry>,
) {
  for (let at = 0; at < times; at += 1) await guard.check(tried(given(at)), wrong);
}

describe('checks of passwords', () => {
  test('run at most four at once, and each that has a place has its turn', async () => {
    const guard = createSignInGuard();
    const slow = slowCheck();
    const answers = Array.from({ length: 40 }, (_, at) =>
      guard.check(tried({ network: `net ${at}` }), slow.verify),
    );
    for (let done = 0; done < 40; done += 1) {
      await expect.poll(slow.count).toBeGreaterThan(0);
      slow.letGo();
    }
    expect(await Promise.all(answers)).toEqual(Array(40).fill(GIVEN_WAY));
    expect(slow.most()).toBeLessThanOrEqual(4);
  });

  test('of one network that floods the line are refused, and those of others are not', async () => {
    const guard = createSignInGuard();
    const slow = slowCheck();
    const flood = Array.from({ length: 200 }, (_, at) =>
      guard.check(tried({ account: `member ${at}` }), slow.verify),
    );
    const other = guard.check(tried({ network: '198.51.100.7' }), slow.verify);
    const known = guard.check(tried({ known: true }), slow.verify);
    let refused = 0;
    for (const answer of flood) void answer.then(({ ok }) => (refused += ok ? 0 : 1));
    await expect.poll(() => refused).toBeGreaterThanOrEqual(200 - 16 - 4);
    let settled = 0;
    for (const answer of [...flood, other, known]) void answer.then(() => (settled += 1));
    while (settled < 202) {
      slow.letGo();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([await other, await known]).toEqual([GIVEN_WAY, GIVEN_WAY]);
    expect(await flood.at(-1)).toEqual({ ok: false, retryAfterSeconds: 2 });
  });

  test('let those go first who are known', async () => {
    const guard = createSignInGuard();
    const slow = slowCheck();
    const order: string[] = [];
    const ask = (name: string, given: Partial<SignInTry>) =>
      guard.check(tried({ network: name, ...given }), slow.verify).then(() => order.push(name));
    const all = [
      ...Array.from({ length: 20 }, (_, at) => ask(`stranger ${at}`, {})),
      ask('owner', { known: true }),
    ];
    while (order.length < all.length) {
      slow.letGo();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(order.indexOf('owner')).toBeLessThanOrEqual(4);
  });
});

describe('new passwords', () => {
  test('are hashed in the lines of the checks, one at a time by one link, and no network fills them', async () => {
    const guard = createSignInGuard();
    const slow = slowCheck();
    const checks = Array.from({ length: 4 }, (_, at) =>
      guard.check(tried({ network: `net ${at}` }), slow.verify),
    );
    await expect.poll(slow.count).toBeGreaterThan(0);
    const hashedBefore = hashing.total;
    const choose = (by: string) =>
      guard
        .hash('correct horse', { by, network: '203.0.113.9', known: false })
        .then(() => 'hashed')
        .catch((error: Error) => error);
    const first = choose('link');
    expect(await choose('link')).toBeInstanceOf(TooManyTries);
    const others = Array.from({ length: 100 }, (_, at) => choose(`link ${at}`));
    const byOperator = guard.hash('correct horse', 'by an operator').then(() => 'hashed');
    let refused = 0;
    for (const other of others)
      void other.then((answer) => (refused += answer === 'hashed' ? 0 : 1));
    await expect.poll(() => refused).toBe(100 - 15);
    expect(hashing.total).toBe(hashedBefore);

    let settled = 0;
    for (const one of [...checks, first, ...others, byOperator])
      void one.then(() => (settled += 1));
    while (settled < 4 + 1 + 100 + 1) {
      slow.letGo();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([await first, await byOperator]).toEqual(['hashed', 'hashed']);
    expect(hashing.total - hashedBefore).toBe(16 + 1);
    expect(await choose('link')).toBe('hashed');
  });
});

describe('failures', () => {
  test('a hundred of one network in a minute are enough; others, and people who are known there, get in', async () => {
    const guard = createSignInGuard();
    await fail(guard, 100, (at) => ({ account: `member ${at}` }));
    const refused = await guard.check(tried(), right);
    expect(refused).toMatchObject({ ok: false });
    expect(refused).toHaveProperty('retryAfterSeconds', 60);
    expect(await guard.check(tried({ known: true }), right)).toEqual(GIVEN_WAY);
    expect(await guard.check(tried({ network: '198.51.100.7' }), right)).toEqual(GIVEN_WAY);
  });

  test('of strangers on one account hold nobody up for long, and never keep them out', async () => {
    const guard = createSignInGuard();
    await fail(guard, 30, (at) => ({ network: `net ${at}` }));
    const waits: string[] = [];
    const stranger = guard
      .check(tried({ network: 'elsewhere' }), right)
      .then((answer) => waits.push('stranger') && answer);
    const owner = guard
      .check(tried({ known: true }), right)
      .then((answer) => waits.push('owner') && answer);
    expect(await Promise.all([stranger, owner])).toEqual([GIVEN_WAY, GIVEN_WAY]);
    expect(waits).toEqual(['owner', 'stranger']);
  });

  test('sign-ins do not count: a carrier’s thousands get in', async () => {
    const guard = createSignInGuard();
    for (let at = 0; at < 500; at += 1)
      expect(await guard.check(tried({ account: `member ${at}` }), right)).toEqual(GIVEN_WAY);
  });
});
