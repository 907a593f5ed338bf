/**
 * The wire contract of the operator face, `/api/operator`: the schemas that the server checks
 * requests with, and what it answers.
 */
export * from './operator/address-test.ts';
export * from './operator/adjustments.ts';
export * from './operator/alerts.ts';
export * from './operator/approvals.ts';
export * from './operator/audit-log.ts';
export * from './operator/books.ts';
export * from './operator/candidates.ts';
export * from './operator/effects.ts';
export * from './operator/events.ts';
export { type EvidenceView, OPEN_EVIDENCE } from './operator/evidence.ts';
export * from './operator/late-claims.ts';
export * from './operator/member-standing.ts';
export * from './operator/members.ts';
export * from './operator/merchant-alerts.ts';
export * from './operator/merchants.ts';
export * from './operator/operators.ts';
export * from './operator/orders.ts';
export * from './operator/overview.ts';
export * from './operator/page-preview.ts';
export * from './operator/portal-users.ts';
export * from './operator/queues.ts';
export * from './operator/reports.ts';
export * from './operator/sandbox.ts';
export { PASSWORD, type RecoveryLinkView, USERNAME } from './operator/schemas.ts';
export * from './operator/settings.ts';
export { CANDIDATE_REASONS, type CandidateReason } from './operator/similar-orders.ts';
export * from './operator/statements.ts';
export * from './operator/terms.ts';
export * from './operator/views.ts';
export * from './operator/wallet-movements.ts';
export * from './operator/webhooks.ts';
