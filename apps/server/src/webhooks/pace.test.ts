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
    expect(greedy(createPace(), [0, 3, 50, 0, 0, 0])).toEqual([64, 128, 256, 512, 1_024, 1_024]);
  });

  test('halves with every tick that is very late, down to a few', () => {
    expect(greedy(createPace(), [0, 251, 4_000, 4_000, 4_000, 4_000])).toEqual([
      64, 32, 16, 8, 8, 8,
    ]);
  });

  test('grows again once the process keeps up', () => {
    const pace = createPace();
    greedy(pace, [9_000, 9_000, 9_000]);
    expect(greedy(pace, [100, 0, 0])).toEqual([8, 16, 32]);
  });

  test('begins carefully again after a burst', () => {
    const pace = createPace();
    greedy(pace, [0, 0, 0]);
    const unused = [0, 0, 0, 0].map((lateMs) => {
      pace.tick(lateMs);
      return pace.room;
    });
    expect(unused).toEqual([128, 64, 32, 32]);
  });

  test('says with a tick whether there is room again where there was none', () => {
    const pace = createPace();
    expect(pace.tick(0)).toBe(false);
    pace.take(32);
    expect(pace.room).toBe(0);
    expect(pace.tick(0)).toBe(true);
    expect(pace.tick(0)).toBe(false);
  });
});
