import { expect, test } from 'vitest';
import {
  ALERT_CALM_MS,
  type AlertFacts,
  type AlertSettings,
  alertText,
  areAlertsWeaker,
  type Condition,
  conditionsOf,
  NO_ALERTS,
  type OpenAlert,
  planAlerts,
} from './merchant-alert.ts';
import { id } from './testing/literals.ts';

const NOW = Date.UTC(2026, 2, 14, 9, 26, 53, 589);
const ALL: AlertSettings = {
  ...NO_ALERTS,
  lowBalance: 5_000_0000n,
  failingWebhooks: true,
};
const CALM: AlertFacts = {
  failingReceivers: [],
  available: 5_000_0000n,
};
const DEAF = { host: 'shop.example:443', since: NOW - 60_000, lastError: 'Refused.' };

test.each<[string, Partial<AlertFacts>, Condition | undefined]>([
  ['nothing on a usual day', {}, undefined],
  [
    'a balance a ten-thousandth below the limit',
    { available: 4_999_9999n },
    { kind: 'low-balance', available: 4_999_9999n, limit: 5_000_0000n },
  ],
  ['a receiver that fails', { failingReceivers: [DEAF] }, { kind: 'webhook-failing', ...DEAF }],
])('found is %s', (_name, change, found) => {
  expect(conditionsOf(ALL, { ...CALM, ...change })).toEqual(found === undefined ? [] : [found]);
  expect(conditionsOf(NO_ALERTS, { ...CALM, ...change })).toEqual([]);
});

const LOW: OpenAlert = { alertId: id('a'), kind: 'low-balance', subject: '', heldAt: NOW };
const DEAF_ONE: OpenAlert = {
  alertId: id('b'),
  ...{ kind: 'webhook-failing', subject: DEAF.host, heldAt: NOW },
};
const FAILING: OpenAlert = { alertId: id('c'), kind: 'many-failures', subject: '', heldAt: 0 };
const lowNow = { available: 1n };
const NONE = { begin: [], hold: [], end: [], drop: [] };
const before = (one: OpenAlert, ms: number) => ({ ...one, heldAt: NOW - ms });

test.each<[string, AlertSettings, Partial<AlertFacts>, OpenAlert[], object]>([
  ['nothing begins or ends on a usual day', ALL, {}, [], NONE],
  [
    'what begins raises an alert',
    ALL,
    lowNow,
    [],
    { ...NONE, begin: [{ kind: 'low-balance', available: 1n, limit: 5_000_0000n }] },
  ],
  ['what goes on raises no second alert', ALL, lowNow, [LOW], { ...NONE, hold: [LOW] }],
  [
    'another receiver is another alert',
    ALL,
    { failingReceivers: [DEAF, { ...DEAF, host: 'other.example:443' }] },
    [DEAF_ONE],
    {
      ...NONE,
      hold: [DEAF_ONE],
      begin: [{ kind: 'webhook-failing', ...DEAF, host: 'other.example:443' }],
    },
  ],
  ['a pause does not end it', ALL, {}, [before(LOW, ALERT_CALM_MS - 1)], NONE],
  [
    'a calm ends it',
    ALL,
    {},
    [before(LOW, ALERT_CALM_MS)],
    { ...NONE, end: [before(LOW, ALERT_CALM_MS)] },
  ],
  [
    'a kind of the version before ends without a message',
    ALL,
    {},
    [FAILING],
    { ...NONE, drop: [FAILING] },
  ],
  [
    'what is turned off ends without a message, also while it holds',
    NO_ALERTS,
    lowNow,
    [LOW],
    { ...NONE, drop: [LOW] },
  ],
])('%s', (_name, settings, change, open, plan) => {
  expect(planAlerts(settings, { ...CALM, ...change }, open, NOW)).toEqual(plan);
});

test.each<[what: string, was: AlertSettings, is: Partial<AlertSettings>, weaker: boolean]>([
  ['nothing changes', ALL, {}, false],
  ['the balance may be lower', ALL, { lowBalance: 4_999_9999n }, true],
  ['the balance is never low', ALL, { lowBalance: null }, true],
  ['the balance is low sooner', ALL, { lowBalance: 5_000_0001n }, false],
  ['a balance is watched', NO_ALERTS, { lowBalance: 1n }, false],
  ['failing receivers raise no alert', ALL, { failingWebhooks: false }, true],
  ['failing receivers raise alerts', NO_ALERTS, { failingWebhooks: true }, false],
])('of settings: %s', (_what, was, change, weaker) => {
  expect(areAlertsWeaker(was, { ...was, ...change })).toBe(weaker);
});

const CONDITIONS: readonly [Condition, begun: string, over: string][] = [
  [
    { kind: 'low-balance', available: 4_200_5000n, limit: 5_000_0000n },
    'The available balance is 4,200.50 PKR, below your limit of 5,000 PKR.',
    'The available balance is no longer below your limit of 5,000 PKR.',
  ],
  [
    { kind: 'webhook-failing', ...DEAF },
    'Webhooks to shop.example:443 fail: Refused.',
    'Webhooks to shop.example:443 no longer fail.',
  ],
  [
    { kind: 'key-made', prefix: 'Ab3dEf9h' },
    ...(Array(2).fill(
      'The API key mk_live_Ab3dEf9h… was made. If you did not expect it, have it revoked at once.',
    ) as [string, string]),
  ],
  [
    { kind: 'many-failures', failed: 7, ended: 12 },
    '7 of the 12 orders of the last hour that have ended failed.',
    'Orders no longer fail more often than usual.',
  ],
  [
    { kind: 'many-refusals', refused: 60, limit: 50 },
    '60 requests were refused within the last hour; your limit is 50.',
    'Fewer than 50 requests were refused within the last hour.',
  ],
];

test.each(CONDITIONS)('%o is described in words', (condition, begun, over) => {
  expect(alertText({ condition, endedAt: null })).toBe(begun);
  expect(alertText({ condition, endedAt: NOW })).toBe(over);
});
