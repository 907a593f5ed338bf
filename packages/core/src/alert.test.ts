import { describe, expect, test } from 'vitest';
import { type AlertRules, type AlertStep, alertSteps, fillTemplate } from './alert.ts';

const AT = 1_000_000;
const RULES: AlertRules = {
  channels: [
    { position: 'second', afterMs: 20_000 },
    { position: 'third', afterMs: 60_000 },
  ],
  countsMissed: true,
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
    const none = { channels: [], countsMissed: false };
    expect(steps(0, [], none)).toEqual({ due: ['push'], nextAt: null });
    expect(steps(500_000, ['push'], none)).toEqual({ due: [], nextAt: null });
  });
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
