import { type Currency, settingsNeedTwo } from '@munshi/core';
import Type, { type Static } from 'typebox';
import { byChange } from './contract/decider.ts';
import type { BodyOf, Shown } from './contract/endpoint.ts';
import {
  changeOf,
  dataOf,
  money,
  namedObject,
  operator,
  optional,
  orNull,
  orWaiting,
  SANDBOX_ALONE,
  strictObject,
  text,
  time,
  timeOf,
} from './contract/operator.ts';

/** Settings, and the sandbox clock. */

/** Settings that may need a second operator to loosen. */
export { SAFEGUARDS } from '@munshi/core';

const settings = operator('Settings');
const clock = operator('Clock');

/** The least of each duration: in under a minute no customer pays, and no member is found. */
export const SECONDS_MIN = {
  paymentPageTtlSeconds: 60,
  awaitingWithdrawalTimeoutSeconds: 60,
  payoutWindowSeconds: 1,
  memberConfirmationWindowSeconds: 1,
  sendingGraceSeconds: 0,
};
const seconds = (name: keyof typeof SECONDS_MIN, description?: string) =>
  Type.Integer({
    minimum: SECONDS_MIN[name],
    maximum: 31_536_000,
    ...(description && { description }),
  });
const NAMES = Type.Record(Type.String({ maxLength: 50 }), text(100));
const NAMES_OF = { methods: optional(NAMES), providers: optional(NAMES) };
const OF_CURRENCY = optional(strictObject(NAMES_OF, { title: 'DisplayNamesOfCurrency' }));
/**
 * How customers and operators see methods (by walletType) and providers (ProviderA, ProviderB,
 * Bank); what is absent shows its own name.
 */
export type DisplayNames = Static<typeof DISPLAY_NAMES>;
export const DISPLAY_NAMES = strictObject(
  {
    ...NAMES_OF,
    currencies: optional(
      strictObject(
        { PKR: OF_CURRENCY, INR: OF_CURRENCY, BDT: OF_CURRENCY } satisfies Record<
          Currency,
          unknown
        >,
        { description: 'Of orders in that currency, before those for all.' },
      ),
    ),
  },
  { description: 'Each map that is sent replaces the one before.', title: 'DisplayNames' },
);
const settingFields = {
  paymentPageTtlSeconds: seconds('paymentPageTtlSeconds'),
  awaitingWithdrawalTimeoutSeconds: seconds('awaitingWithdrawalTimeoutSeconds'),
  payoutWindowSeconds: seconds('payoutWindowSeconds'),
  memberConfirmationWindowSeconds: seconds('memberConfirmationWindowSeconds'),
  evidenceDays: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    description: 'Pictures that members hand in are deleted so many days later.',
  }),
  sendingGraceSeconds: seconds(
    'sendingGraceSeconds',
    'What a withdrawal’s deadline moves by once its member says that they are sending.',
  ),
  missedAlertsMax: orNull(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'After as many missed alerts in a row a member goes offline; null: never.',
    }),
  ),
  memberShareBasisPoints: orNull(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description:
        'What members earn of what they confirm, in hundredths of a percent: 50 is 0.5 %. Their app shows it; it moves no money. Null: it shows none.',
    }),
  ),
  adjustmentApprovalLimit: orNull(
    money('Adjustments above it wait for a second operator; null: none do.'),
  ),
  requireSecondOperator: Type.Boolean({
    description:
      'Another operator approves money above the limit (null counts as 0; single, and the day’s sum of an operator), keys, operators, and what would loosen this.',
  }),
  requireOneTimeCode: Type.Boolean({
    description: 'Admins sign in with a one-time code; who has none can only set it up.',
  }),
  stopWithdrawalsOnBreach: Type.Boolean({
    description:
      'If the nightly check finds the money of a merchant wrong, its withdrawal methods are disabled. Orders in progress go on.',
  }),
  displayNames: DISPLAY_NAMES,
};
export type SettingsView = Shown<typeof SettingsView>;
const SettingsView = namedObject('Settings', settingFields);
export const READ_SETTINGS = settings.endpoint('GET /settings', {
  summary: 'Read the settings',
  needs: 'read',
  answer: dataOf(SettingsView, 'The settings.'),
});
export type ChangeSettings = BodyOf<typeof CHANGE_SETTINGS>;
export const CHANGE_SETTINGS = settings.write('PATCH /settings', {
  summary: 'Change settings',
  needs: 'administer',
  decides: byChange(
    'A higher limit, less time for a payout, or turning off this rule, required one-time codes or the stop on a breach; other names of methods.',
    settingsNeedTwo,
  ),
  audit: ['approval.request', 'settings.update'],
  description:
    'For orders and steps from now on; deadlines already set stay. If a part of it needs a second operator, all of it waits.',
  body: changeOf(settingFields),
  answer: orWaiting(SettingsView, 'The settings, or `pendingApproval`.'),
  refusals: ['wrong-state'],
});
const ClockView = namedObject('Clock', {
  now: time,
  sandbox: Type.Boolean({ description: 'Operators may advance it: CLOCK=sandbox.' }),
  nextDueAt: orNull(timeOf('When time next changes an order; null: none, or the clock is real.')),
});
export const READ_CLOCK = clock.endpoint('GET /clock', {
  summary: 'Read the clock',
  needs: 'read',
  answer: dataOf(ClockView, 'The time that the service goes by.'),
});
export const ADVANCE_CLOCK = clock.endpoint('POST /clock/advance', {
  summary: 'Advance the sandbox clock',
  needs: 'administer',
  decides: SANDBOX_ALONE,
  audit: ['clock.advance'],
  description:
    'Everything that falls due on the way runs in the order of its time. Only with CLOCK=sandbox.',
  body: strictObject({ seconds: Type.Integer({ minimum: 0, maximum: 31_536_000 }) }),
  answer: dataOf(Type.Object({ now: time }), 'It has run.'),
  refusals: ['wrong-state'],
});
