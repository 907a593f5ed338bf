import { expect, test } from 'vitest';
import { renewed, rested, restOf } from './lasting.ts';

test('a reading is followed by a rest of four times as long, up to a most', () => {
  expect([0, 20, 50, 500, 90_000].map((tookMs) => restOf(tookMs, 2_000))).toEqual([
    0, 80, 200, 2_000, 2_000,
  ]);
});

test('a caller that asks after a reading has begun is answered by the next one, and two never run at once', async () => {
  const readings: PromiseWithResolvers<number>[] = [];
  const began = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ask = rested(1, () => {
    readings.push(Promise.withResolvers<number>());
    began[readings.length - 1]?.resolve();
    return (readings.at(-1) as PromiseWithResolvers<number>).promise;
  });
  const together = [ask(), ask()];
  await began[0]?.promise;
  const later = ask();
  expect(readings).toHaveLength(1);
  readings[0]?.resolve(1);
  expect(await Promise.all(together)).toEqual([1, 1]);
  await began[1]?.promise;
  readings[1]?.resolve(2);
  expect(await later).toBe(2);
});

test('a reading that fails is the error of those who wait for it, and the next one is made', async () => {
  let asked = 0;
  const ask = rested(1, async () => {
    asked += 1;
    if (asked === 1) throw new Error('no database');
    return asked;
  });
  await expect(ask()).rejects.toThrow('no database');
  expect(await ask()).toBe(2);
});

test('what was read is answered for a while, and read again after that', async () => {
  let readings = 0;
  const ask = renewed(Number.MIN_VALUE, async () => {
    readings += 1;
    return readings;
  });
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  expect(await ask()).toBe(2); // more than twice as old: the caller waits

  let counted = 0;
  const lasting = renewed(3_600_000, async () => {
    counted += 1;
    return counted;
  });
  expect([await lasting(), await lasting()]).toEqual([1, 1]);
});
