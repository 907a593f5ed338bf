export * from './account-number.ts';
export {
  ACCOUNT_WARNINGS,
  type AccountWarning,
  accountWarnings,
  MOBILE_EXAMPLES,
} from './account-warnings.ts';
export * from './active.ts';
export * from './alert.ts';
export * from './allowed-actions.ts';
export * from './approval.ts';
export * from './attention.ts';
export { type ForOperators, forOperators } from './audit.ts';
export { type AuditAction, NOTICE_ACTIONS, type NoticeAction } from './audit-action.ts';
export { AUDIT_FIELDS, type AuditField } from './audit-field.ts';
export { brandShades } from './brand-colour.ts';
export * from './calendar.ts';
export * from './capability.ts';
export * from './closing.ts';
export {
  MEMBER_ACTIONS,
  MEMBER_DECISIONS,
  type MemberAction,
  type MemberDecision,
  memberMay,
  SUSPENDED,
} from './commands/acting-member.ts';
export { type CreateOrder, REPLAY_WINDOW_MS, takesOrders } from './commands/create-order.ts';
export {
  asksPayer,
  CUSTOMER_ACTIONS,
  type CustomerAction,
  customerActions,
  FORMER_ACCOUNT,
  showsFormerAccount,
} from './commands/customer-actions.ts';
export { isLookedFor, openNotes } from './commands/customer-note.ts';
export * from './commands/index.ts';
export type { LateConfirmation } from './commands/operator-confirm.ts';
export { isAttested, type Resolution } from './commands/operator-resolve.ts';
export {
  fateWhenWithdrawn,
  WITHDRAWN_FATES,
  type WithdrawnFate,
} from './commands/withdraw-member.ts';
export * from './creation-fields.ts';
export * from './creation-message.ts';
export * from './customer-input.ts';
export * from './decision.ts';
export * from './delivery.ts';
export * from './delivery-search.ts';
export {
  type DisplayNames,
  methodDisplayName,
  providerDisplayName,
} from './display-names.ts';
export { withAmount } from './emv-qr.ts';
export * from './evidence.ts';
export * from './fee.ts';
export * from './four-eyes.ts';
export * from './id.ts';
export * from './ip.ts';
export { type Member as JsonMember, scanObject } from './json-object.ts';
export * from './late-claim.ts';
export * from './lifecycle.ts';
export * from './mask.ts';
export * from './matching.ts';
export * from './member-account.ts';
export * from './merchant-alert.ts';
export * from './method.ts';
export * from './money.ts';
export * from './needs-two.ts';
export { fieldWithOtherReading } from './one-reading.ts';
export * from './operator.ts';
export * from './order.ts';
export * from './order-search.ts';
export * from './payable.ts';
export * from './payment-fit.ts';
export { PAYMENT_TEXT_MAX, type PaymentText, readPaymentText } from './payment-text.ts';
export { readPeopleSearch } from './people-search.ts';
export * from './portal.ts';
export * from './posting.ts';
export * from './qr-content.ts';
export * from './qr-payload.ts';
export * from './queue.ts';
export * from './read-off.ts';
export * from './retention.ts';
export {
  LIVE_SCHEDULE,
  nextAttemptAt,
  type RetrySchedule,
  retriesDueBy,
  SANDBOX_SCHEDULE,
} from './retry-schedule.ts';
export * from './row-kinds.ts';
export * from './rows.ts';
export {
  LEFT_ALONE,
  type Play,
  playOf,
  reachable,
  SANDBOX_CARDS,
  type SandboxTrigger,
  stepTowards,
} from './sandbox.ts';
export * from './saved-view.ts';
export * from './set-up.ts';
export * from './signature.ts';
export { needOf, needOfAnother, outcomeDelivery } from './step.ts';
export * from './transaction-id.ts';
export { plainDigits, readTypedAmount } from './typed.ts';
export * from './unseen.ts';
export { upiLink } from './upi-link.ts';
export { compareUtf8 } from './utf8.ts';
export * from './webhook-event.ts';
