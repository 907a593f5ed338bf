/**
 * The contract of every face, by subject as the server has them: `<subject>.<thing>.<face>.ts`, and
 * without a face what several of them share. `contract` knows no subject.
 */
export * from './api-keys.operator.ts';
export * from './api-keys.portal.ts';
export * from './approvals.effects.ts';
export * from './approvals.operator.ts';
export * from './audit.operator.ts';
export * from './books.operator.ts';
export * from './checkout.page.ts';
export * from './checkout.preview.operator.ts';
export * from './checkout.preview.portal.ts';
export * from './closings.operator.ts';
export * from './contract/codes.ts';
export type { Decider } from './contract/decider.ts';
export * from './contract/endpoint.ts';
export * from './contract/errors.ts';
export {
  PASSWORD,
  type RecoveryLinkView,
  USERNAME,
  type WritePreview,
} from './contract/operator.ts';
export { HOLDS_UNSEEN, type Page, REFUSED_BY_PATTERN } from './contract/schemas.ts';
export * from './contract/values.ts';
export * from './deliveries.merchant.ts';
export * from './deliveries.operator.ts';
export * from './deliveries.portal.ts';
export * from './events.member.ts';
export * from './events.operator.ts';
export * from './events.portal.ts';
export * from './evidence.member.ts';
export { OPEN_EVIDENCE } from './evidence.operator.ts';
export * from './fees.operator.ts';
export * from './late-claims.operator.ts';
export * from './member-alerts.member.ts';
export * from './member-alerts.operator.ts';
export * from './member-desk.member.ts';
export type { AccountChange, NewAccount } from './members.accounts.ts';
export * from './members.history.member.ts';
export * from './members.member.ts';
export * from './members.operator.ts';
export * from './members.session.member.ts';
export * from './members.standing.operator.ts';
export * from './merchant-alerts.operator.ts';
export * from './merchant-alerts.portal.ts';
export type {
  AlertSettingsView,
  ChangeAlertSettings,
} from './merchant-alerts.ts';
export * from './merchants.address-test.operator.ts';
export * from './merchants.operator.ts';
export * from './merchants.portal.ts';
export * from './merchants.refused-requests.portal.ts';
export * from './now.overview.operator.ts';
export * from './now.queues.operator.ts';
export * from './now.set-up.operator.ts';
export * from './operators.operator.ts';
export * from './operators.session.operator.ts';
export * from './order-desk.operator.ts';
export * from './order-desk.portal.ts';
export * from './orders.candidates.operator.ts';
export * from './orders.merchant.ts';
export {
  CANDIDATE_REASONS,
  type CandidateReason,
  LIKENESSES,
  type Likeness,
} from './orders.similar.ts';
export type { SearchedView } from './orders.ts';
export type { SignInView } from './people.ts';
export * from './portal-home.operator.ts';
export * from './portal-home.portal.ts';
export * from './portal-people.operator.ts';
export * from './portal-people.portal.ts';
export * from './portal-people.session.portal.ts';
export * from './reports.operator.ts';
export * from './sandbox.merchant.ts';
export * from './sandbox.operator.ts';
export * from './saved-views.operator.ts';
export * from './settings.operator.ts';
export * from './wallets.adjustments.operator.ts';
export * from './wallets.movements.operator.ts';
export * from './wallets.operator.ts';
export * from './wallets.portal.ts';
export * from './wallets.statements.operator.ts';
export * from './wallets.statements.portal.ts';
export type { ListedStatementView, StatementView } from './wallets.statements.ts';
export { WEBHOOK_EXAMPLES, WEBHOOKS } from './webhooks.ts';
