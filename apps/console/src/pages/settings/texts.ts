/** Every word of C14's settings. */
export const texts = {
  title: 'Settings',
  lead: 'For orders and steps from now on; deadlines that are already set stay.',
  change: 'Change',
  changeOf: (what: string) => `Change: ${what}`,
  now: 'From now on',
  minutes: 'Minutes',
  days: 'Days',
  badDays: 'One day to ten years: 1 to 3650.',
  asSeconds: (seconds: number) => `${seconds} seconds`,
  waiting: 'A second operator has to approve it: see Approvals.',
  on: 'On',
  off: 'Off',
  noLimit: 'None',
  never: 'Never',
  neverHint: 'Empty: never.',
  badCount: 'A whole number from 1 to 100.',
  missed: (count: number) => (count === 1 ? 'After 1 missed alert' : `After ${count} in a row`),
  noLimitHint: 'Empty: no limit. While a second operator is required, that counts as 0.',
  badAmount: 'An amount such as 25000 or 25000.50.',
  badMinutes: 'At least one second.',
  alone: 'While a second operator is required, loosening this waits for another admin.',
  groups: {
    windows: 'Windows',
    alerts: 'Alerts',
    safety: 'Safety',
    keeping: 'Keeping',
    names: 'Display names',
  },
  settings: {
    paymentPageTtlSeconds: {
      label: 'Payment page',
      who: 'How long customers can pay after an order is made. New orders get it.',
    },
    memberConfirmationWindowSeconds: {
      label: 'Confirmation window',
      who: 'How long members have to check a deposit that the customer says is paid. Then it goes to review.',
    },
    payoutWindowSeconds: {
      label: 'Payout window',
      who: 'How long a member has to pay a withdrawal. Then it goes to another one.',
    },
    sendingGraceSeconds: {
      label: 'Grace while sending',
      who: 'How much longer a member keeps a withdrawal once they say that they are sending it. Then it goes to another one.',
    },
    missedAlertsMax: {
      label: 'Missed alerts',
      who: 'A member who sees none of so many alerts in a row goes offline until they come back.',
    },
    awaitingWithdrawalTimeoutSeconds: {
      label: 'Wait for a member',
      who: 'How long a withdrawal waits for somebody who can take it. Then it fails, and the merchant is told.',
    },
    evidenceDays: {
      label: 'Pictures of evidence',
      who: 'How long pictures that members hand in are kept. Then they are deleted, older ones too; who sent them and when stays.',
    },
    adjustmentApprovalLimit: {
      label: 'Limit for one operator',
      who: 'Adjustments and late confirmations above it, single or by an operator’s day, wait for a second one.',
    },
    requireSecondOperator: {
      label: 'Second operator required',
      who: 'Money above the limit, keys, operators, and whatever would loosen this need two people.',
    },
    requireOneTimeCode: {
      label: 'One-time codes for admins',
      who: 'Admins without codes can only set them up, from their next request on.',
    },
  },
  names: {
    lead: 'How customers see providers and ways to pay. Empty shows the own name.',
    providers: 'Providers',
    methods: 'Ways to pay',
    preview: 'On the payment page',
    changeNames: 'Change display names',
    nothing: 'No name is changed yet.',
  },
} as const;
