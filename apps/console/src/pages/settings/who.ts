import type { SettingName } from './shown-setting.tsx';

/** What each setting does, and for whom. */
export const WHO: Readonly<Record<SettingName, string>> = {
  paymentPageTtlSeconds:
    'How long customers can pay after an order is created. It applies to new orders.',
  memberConfirmationWindowSeconds:
    'How long members have to check a deposit that the customer says is paid. Then it goes to review.',
  payoutWindowSeconds: 'How long a member has to pay a withdrawal. Then it goes to another one.',
  sendingGraceSeconds:
    'How much longer a member keeps a withdrawal once they say that they are sending it. Then it goes to another one.',
  missedAlertsMax:
    'A member who misses this many alerts in a row goes offline until they come back.',
  memberShareBasisPoints:
    'What members earn of what they confirm, as their app shows it. It moves no money. Empty: it shows none.',
  awaitingWithdrawalTimeoutSeconds:
    'How long a withdrawal waits for a member. Then it fails, and the merchant is told.',
  evidenceDays:
    'How long members’ pictures are kept. A shorter time deletes older ones too. Who sent them and when is always kept.',
  adjustmentApprovalLimit:
    'Adjustments and late confirmations above this amount, singly or in the sum of the day, wait for an approver. Each approver has a sum of their own; all others share one.',
  requireSecondOperator:
    'Money above the limit, keys, people, accounts and loosening this rule need an approver who did not ask.',
  stopWithdrawalsOnBreach:
    'If the nightly check finds the money of a merchant wrong, that merchant’s withdrawal methods are disabled. Orders in progress continue.',
  requireOneTimeCode: 'Admins without codes can only set them up, from their next request on.',
};
