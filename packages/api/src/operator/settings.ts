import Type, { type Static } from 'typebox';
import {
  answers,
  dataOf,
  listOf,
  money,
  NOT_BLANK,
  optional,
  orNull,
  orWaiting,
  PAGE,
  route,
  strict,
  time,
  writeRoute,
} from './schemas.ts';

/** Settings, the sandbox clock, the audit log. */

const SECONDS = Type.Integer({ minimum: 1, maximum: 31_536_000 });
const NAMES = Type.Record(
  Type.String({ maxLength: 50 }),
  Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }),
);
/**
 * How customers and operators see methods (by walletType) and providers (ProviderA, ProviderB,
 * Bank); what is absent shows its own name.
 */
export type DisplayNames = Static<typeof DISPLAY_NAMES>;
const DISPLAY_NAMES = Type.Object(
  { methods: optional(NAMES), providers: optional(NAMES) },
  { ...strict, description: 'Each map that is sent replaces the one before.' },
);
const settingFields = {
  paymentPageTtlSeconds: SECONDS,
  awaitingWithdrawalTimeoutSeconds: SECONDS,
  payoutWindowSeconds: SECONDS,
  memberConfirmationWindowSeconds: SECONDS,
  adjustmentApprovalLimit: orNull(
    money('Adjustments above it wait for a second operator; null: none do.'),
  ),
  requireSecondOperator: Type.Boolean({
    description:
      'Another operator approves money above the limit (null counts as 0; single, and the day’s sum of an operator), keys, operators, and what would loosen this.',
  }),
  displayNames: DISPLAY_NAMES,
};
const SettingsView = Type.Object(settingFields);
export const READ_SETTINGS = route('Settings', 'Read the settings', {
  response: answers('The settings.', dataOf(SettingsView)),
});
export type ChangeSettings = Static<typeof CHANGE_SETTINGS.body>;
export const CHANGE_SETTINGS = writeRoute('Settings', 'Change settings', {
  description: 'For orders and steps from now on; deadlines already set stay.',
  body: Type.Partial(Type.Object(settingFields), { ...strict, minProperties: 1 }),
  response: answers('The settings.', orWaiting(SettingsView), 400, 409),
});
export type AdvanceClock = Static<typeof ADVANCE_CLOCK.body>;
export const ADVANCE_CLOCK = route('Clock', 'Advance the sandbox clock', {
  description:
    'Everything that falls due on the way runs in the order of its time. Only with CLOCK=sandbox.',
  body: Type.Object({ seconds: Type.Integer({ minimum: 0, maximum: 31_536_000 }) }, strict),
  response: answers('It has run.', dataOf(Type.Object({ now: time })), 400, 409),
});

const AuditView = Type.Object({
  auditId: Type.String(),
  at: time,
  actor: Type.Object({
    kind: Type.String(),
    id: orNull(Type.String()),
    name: orNull(Type.String()),
    address: orNull(Type.String()),
  }),
  action: Type.String(),
  target: Type.String(),
  detail: Type.Record(Type.String(), Type.Unknown()),
});
export type ListAudit = Static<typeof LIST_AUDIT.querystring>;
export const LIST_AUDIT = route('Audit log', 'Who did what, when, from where', {
  querystring: Type.Object(
    {
      actorId: optional(Type.String({ maxLength: 100 })),
      action: optional(Type.String({ maxLength: 100 })),
      target: optional(
        Type.String({ maxLength: 100, description: 'The id of what was acted on.' }),
      ),
      ...PAGE,
    },
    strict,
  ),
  response: answers('Entries, the newest first.', listOf(AuditView), 400),
});
