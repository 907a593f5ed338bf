import { describe, expect, test } from 'vitest';
import { type AlertRules, type AlertStep, alertSteps, fillTemplate, pushAgainAt } from './alert.ts';

const AT = 1_000_000;
const RULES: AlertRules = {
  channels: [
    { position: 'second', afterMs: 20_000 },
    { position: 'third', afterMs: 60_000 },
  ],
  countsMissedSince: 0,
};
const steps = (afterMs: number, done: readonly AlertStep[] = [], rules = RULES) =>
  alertSteps(AT, new Set(done), rules, AT + afterMs);

describe('an alert that nobody has seen', () => {
  test.each<[number, readonly AlertStep[], readonly AlertStep[], number | null]>([
    [0, [], ['push'], 20_000],
    [19_999, ['push'], [], 20_000],
    [20_000, ['push'], ['second'], 60_000],
    [60_000, ['push', 'second'], ['third'], 120_000],
    [120_000, ['push', 'second', 'third'], ['missed'], null],
    [500_000, ['push'], ['second', 'third', 'missed'], null],
  ])('after %i ms with %j done has %j due, and goes on at %j', (after, done, due, next) => {
    const nextAt = next === null ? null : AT + next;
    expect(steps(after, done)).toEqual({ due, nextAt });
  });

  test('is over after the push where nothing else was set up', () => {
    const none = { channels: [], countsMissedSince: null };
    expect(steps(0, [], none)).toEqual({ due: ['push'], nextAt: null });
    expect(steps(500_000, ['push'], none)).toEqual({ due: [], nextAt: null });
  });

  test.each<[number, readonly AlertStep[], number | null]>([
    [300_000, ['push', 'second', 'third'], 420_000],
    [419_999, [], 420_000],
    [420_000, ['missed'], null],
  ])(
    'is missed two minutes after an outage: after %i ms %j is due, next at %j',
    (after, due, next) => {
      const rules = { ...RULES, countsMissedSince: AT + 300_000 };
      const done: readonly AlertStep[] = after === 300_000 ? [] : ['push', 'second', 'third'];
      const nextAt = next === null ? null : AT + next;
      expect(steps(after, done, rules)).toEqual({ due, nextAt });
    },
  );

  test.each([
    [0, null, 10_000],
    [0, 5_000, 5_000],
    [119_999, null, 129_999],
    [120_000, null, 180_000],
    [120_000, 130_000, 130_000],
  ])(
    'is pushed again where no service took it: at %i ms, next step at %j: at %i',
    (after, next, again) => {
      const nextAt = next === null ? null : AT + next;
      expect(pushAgainAt(AT, nextAt, AT + after)).toBe(AT + again);
    },
  );
});

describe('the body of a channel', () => {
  const fields = {
    orderId: 'o',
    kind: 'assigned',
    amount: '2500',
    currency: 'PKR',
    member: 'A "quoted"\nname & more',
    username: 'u',
    memberId: 'm',
  };
  test.each([
    [
      'application/json',
      '{"text": "{member} {amount}"}',
      '{"text": "A \\"quoted\\"\\nname & more 2500"}',
    ],
    [
      'application/x-www-form-urlencoded',
      'to={username}&m={member}',
      'to=u&m=A%20%22quoted%22%0Aname%20%26%20more',
    ],
    [
      'text/plain',
      '{member}: {currency} {amount} {unknown} {}',
      'A "quoted" name & more: PKR 2500 {unknown} {}',
    ],
  ])('of %s has every field as it has to be written there', (type, template, body) => {
    expect(fillTemplate(template, fields, type)).toBe(body);
  });
});
