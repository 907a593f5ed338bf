export * from './codes.ts';
export type { Decider } from './decider.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './member/evidence.ts';
export * from './member/history.ts';
export * from './member/push.ts';
export * from './member.ts';
export type { AccountLimitsChange, NewAccount } from './member-accounts.ts';
export * from './merchant.ts';
export type {
  AlertConditionView,
  AlertSettingsView,
  ChangeAlertSettings,
} from './merchant-alerts.ts';
export * from './operator.ts';
export type { SignInView } from './own-sign-in.ts';
export * from './page.ts';
export * from './portal/alerts.ts';
export * from './portal/deliveries.ts';
export * from './portal/events.ts';
export * from './portal/home.ts';
export * from './portal/keys.ts';
export * from './portal/merchant.ts';
export * from './portal/orders.ts';
export * from './portal/people.ts';
export * from './portal/previews.ts';
export * from './portal/refused-requests.ts';
export * from './portal/session.ts';
export * from './portal/statements.ts';
export { HOLDS_UNSEEN, type Page, REFUSED_BY_PATTERN } from './schemas.ts';
export type { ListedStatementView, StatementView } from './statements.ts';
export * from './values.ts';
export * from './webhooks.ts';
