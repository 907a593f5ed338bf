import { expect, test } from 'vitest';
import { UnavailableError } from '../database/errors.ts';
import { TooManyWaiting } from '../refusals.ts';
import { Turns } from './picture-turns.ts';

const WAIT_MS = 60_000;
const done: string[] = [];

/** Work that ends when `end` is called, beside what became of it. */
function hold(turns: Turns, caller: string) {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const outcome = turns
    .run(caller, () => promise)
    .then(
      () => done.push(caller),
      (error: Error) => error,
    );
  return { end, outcome };
}
const at = (turns: Turns, caller: string) =>
  turns.run(caller, async () => void done.push(caller)).catch((error: Error) => error);

test('callers take turns, however many one of them has sent before', async () => {
  done.length = 0;
  const turns = new Turns({ perCaller: 5, total: 20, waitMs: WAIT_MS });
  const first = hold(turns, 'a');
  const rest = ['a', 'a', 'a', 'b', 'b', 'c'].map((caller) => at(turns, caller));
  first.end();
  await Promise.all([first.outcome, ...rest]);
  expect(done.join('')).toBe('aabcaba');
});

test('a caller has so many places, with the one at work', async () => {
  const turns = new Turns({ perCaller: 2, total: 20, waitMs: WAIT_MS });
  const first = hold(turns, 'a');
  const second = at(turns, 'a');
  expect(await at(turns, 'a')).toBeInstanceOf(TooManyWaiting);
  first.end();
  await second;
  expect(await at(turns, 'a')).toBeUndefined();
});

test('when all places are taken, the caller with most of them loses the last to a newcomer', async () => {
  const turns = new Turns({ perCaller: 3, total: 4, waitMs: WAIT_MS });
  const work = hold(turns, 'a');
  const waiting = ['b', 'b', 'b'].map((caller) => at(turns, caller));
  const newcomers = ['c', 'd'].map((caller) => at(turns, caller));
  expect(await waiting[2]).toBeInstanceOf(UnavailableError);
  expect(await waiting[1]).toBeInstanceOf(UnavailableError);
  // Everybody has one now.
  expect(await at(turns, 'e')).toBeInstanceOf(UnavailableError);
  work.end();
  expect(await Promise.all([waiting[0], ...newcomers])).toEqual([undefined, undefined, undefined]);
});

test('what has waited for longer than a request is answered is not begun', async () => {
  done.length = 0;
  const turns = new Turns({ perCaller: 3, total: 4, waitMs: -1 });
  const work = hold(turns, 'a');
  expect(await work.outcome).toBeInstanceOf(UnavailableError);
  expect(done).toEqual([]);
});

test('work that fails leaves its place to the next', async () => {
  const turns = new Turns({ perCaller: 1, total: 1, waitMs: WAIT_MS });
  await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await at(turns, 'a')).toBeUndefined();
});
