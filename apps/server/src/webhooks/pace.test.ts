import { describe, expect, test } from 'vitest';
import { createPace } from './pace.ts';

describe('how many deliveries may be claimed', () => {
  /** Takes all that there is room for in each of these ticks; answers how much each had. */
  const greedy = (pace: ReturnType<typeof createPace>, lateness: readonly number[]) =>
    lateness.map((lateMs) => {
      pace.take(pace.room);
      pace.tick(lateMs);
      return pace.room;
    });

  test('doubles with every prompt tick while all of it is used', () => {
    expect(greedy(createPace(), [0, 3, 100, 0])).toEqual([256, 512, 1_024, 1_024]);
  });

  test('grows more slowly with ticks that are a little late, as on a busy machine', () => {
    expect(greedy(createPace(), [101, 500, 300])).toEqual([160, 200, 250]);
  });

  test('halves with every tick that is very late, down to a few', () => {
    const ticks = [0, 501, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000];
    expect(greedy(createPace(), ticks)).toEqual([256, 128, 64, 32, 16, 8, 8, 8]);
  });

  test('grows again from a few once the process keeps up', () => {
    const pace = createPace();
    greedy(pace, Array(9).fill(9_000));
    expect(greedy(pace, [400, 400, 0, 0])).toEqual([10, 13, 26, 52]);
  });

  test('begins carefully again after a burst', () => {
    const pace = createPace();
    greedy(pace, [0, 0, 0]);
    const unused = Array.from({ length: 30 }, () => {
      pace.tick(0);
      return pace.room;
    });
    expect(unused.slice(0, 3)).toEqual([921, 828, 745]);
    expect(unused.at(-1)).toBe(128);
  });

  test('says with a tick whether there is room again where there was none', () => {
    const pace = createPace();
    expect(pace.tick(0)).toBe(false);
    pace.take(65); // the rest would make a small claim
    expect(pace.room).toBe(0);
    expect(pace.tick(0)).toBe(true);
    expect(pace.tick(0)).toBe(false);
  });
});
