import { describe, expect, test } from 'vitest';
import { type ClockReading, createClockCheck } from './clock-check.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const NOON = Date.UTC(2026, 10, 29, 12);

/** A machine whose clocks are set by hand; its database is on it, or elsewhere with the right time. */
function machine(database: 'here' | 'elsewhere') {
  let real = 0;
  let wallOff = 0;
  let asleep = 0;
  const warned: object[] = [];
  const read = (): ClockReading => ({ wall: NOON + real + wallOff, monotonic: real - asleep });
  let whileAsked = () => {};
  const { doubt } = createClockCheck({
    read,
    log: { warn: (detail) => warned.push(detail) },
    async compare() {
      const aheadMs = database === 'here' ? 0 : -wallOff;
      whileAsked();
      return { aheadMs, withinMs: 1 };
    },
  });
  return {
    doubt,
    warned,
    pass(ms: number) {
      real += ms;
    },
    set(ms: number) {
      wallOff += ms;
    },
    sleep(ms: number) {
      real += ms;
      asleep += ms;
    },
    whileAsked(work: () => void) {
      whileAsked = work;
    },
  };
}

describe('a clock that agrees with the database', () => {
  test('is not in doubt at the start, nor hours later', async () => {
    const { doubt, pass } = machine('elsewhere');
    for (let n = 0; n < 10; n += 1) {
      expect(await doubt()).toBeUndefined();
      pass(HOUR);
    }
  });

  test.each([
    [10 * SECOND, undefined],
    [10 * SECOND + 1, 'jumped'],
    [-10 * SECOND, undefined],
    [-10 * SECOND - 1, 'jumped'],
    [24 * HOUR, 'jumped'],
  ])('that is set by %i ms: %s', async (ms, expected) => {
    const { doubt, set } = machine('here');
    set(ms);
    expect(await doubt()).toBe(expected);
  });

  test('is believed again a minute after it was noticed that it had jumped', async () => {
    const { doubt, set, pass } = machine('here');
    pass(5 * SECOND);
    set(24 * HOUR);
    for (let second = 0; second < 60; second += 1) {
      expect(await doubt()).toBe('jumped');
      pass(SECOND);
    }
    expect(await doubt()).toBeUndefined();
  });

  test('is not believed before it has stayed for a minute where it is, back at the right time too', async () => {
    const { doubt, set, pass } = machine('here');
    set(24 * HOUR);
    expect(await doubt()).toBe('jumped');
    pass(50 * SECOND);
    set(-24 * HOUR);
    expect(await doubt()).toBe('jumped');
    pass(59 * SECOND);
    expect(await doubt()).toBe('jumped');
    pass(SECOND);
    expect(await doubt()).toBeUndefined();
  });

  test('has jumped for a minute after the machine slept, however long', async () => {
    const { doubt, sleep, pass } = machine('here');
    sleep(8 * HOUR);
    expect(await doubt()).toBe('jumped');
    pass(60 * SECOND);
    expect(await doubt()).toBeUndefined();
  });

  test('has jumped where it does while the database is asked', async () => {
    const { doubt, set, whileAsked } = machine('elsewhere');
    whileAsked(() => set(HOUR));
    expect(await doubt()).toBe('jumped');
  });
});

describe('a clock that differs from the database’s', () => {
  test('is in doubt for as long as it does, and for the rest of a minute after its last jump', async () => {
    const { doubt, set, pass, warned } = machine('elsewhere');
    set(12 * SECOND);
    for (let hour = 0; hour < 3; hour += 1) {
      expect(await doubt()).toBe('differs');
      pass(HOUR);
    }
    set(-12 * SECOND);
    expect(await doubt()).toBe('jumped');
    pass(60 * SECOND);
    expect(await doubt()).toBeUndefined();
    expect(warned).toEqual([{ clock: 'differs' }, { clock: 'jumped' }]);
  });

  test.each([
    [10_500, 400, 'differs'],
    [10_500, 500, undefined],
    [-10_500, 400, 'differs'],
    [-10_500, 500, undefined],
  ])('by %i ms, which is known within %i ms: %s', async (aheadMs, withinMs, expected) => {
    const { doubt } = createClockCheck({
      compare: async () => ({ aheadMs, withinMs }),
      log: { warn() {} },
    });
    expect(await doubt()).toBe(expected);
  });
});
