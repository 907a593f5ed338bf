/** Every word of C14's settings. */
export const texts = {
  title: 'Settings',
  lead: 'Changes apply to orders and steps from now on. Deadlines that are already set stay.',
  change: 'Change',
  changeOf: (what: string) => `Change: ${what}`,
  on: 'On',
  off: 'Off',
  noLimit: 'None: no amount waits',
  everyAmountWaits: 'None: every amount waits',
  never: 'Never',
  neverHint: 'Leave it empty for never.',
  missed: (count: number) => (count === 1 ? 'After 1 missed alert' : `After ${count} in a row`),
  noLimitHint:
    'Leave it empty for no limit. While a second operator is required, that counts as 0.',
  alone: 'While a second operator is required, another admin has to approve loosening this.',
  groups: {
    windows: 'Time limits',
    alerts: 'Alerts',
    safety: 'Safety',
    keeping: 'Retention',
    names: 'Display names',
  },
  who: {
    paymentPageTtlSeconds:
      'How long customers can pay after an order is created. It applies to new orders.',
    memberConfirmationWindowSeconds:
      'How long members have to check a deposit that the customer says is paid. Then it goes to review.',
    payoutWindowSeconds: 'How long a member has to pay a withdrawal. Then it goes to another one.',
    sendingGraceSeconds:
      'How much longer a member keeps a withdrawal once they say that they are sending it. Then it goes to another one.',
    missedAlertsMax:
      'A member who misses this many alerts in a row goes offline until they come back.',
    awaitingWithdrawalTimeoutSeconds:
      'How long a withdrawal waits for a member. Then it fails, and the merchant is told.',
    evidenceDays:
      'How long members’ pictures are kept. A shorter time deletes older ones too. Who sent them and when is always kept.',
    adjustmentApprovalLimit:
      'Adjustments and late confirmations above this amount, singly or in an operator’s day, wait for a second operator.',
    requireSecondOperator:
      'Money above the limit, keys, operators, and loosening this rule need two people.',
    stopWithdrawalsOnBreach:
      'If the nightly check finds the money of a merchant wrong, that merchant’s withdrawal methods are disabled. Orders in progress continue.',
    requireOneTimeCode: 'Admins without codes can only set them up, from their next request on.',
  },
  channels: {
    title: 'Alert channels',
    lead: 'HTTPS calls to a messenger or an SMS gateway, for members who have not seen an alert in their app.',
    names: { second: 'Second channel', third: 'Third channel' },
    off: 'Not set up',
    none: 'none',
    after: 'Sent after',
    goesTo: 'Goes to',
    headers: 'Headers',
    body: 'Body',
    setUp: (name: string) => `Set up: ${name.toLowerCase()}`,
    change: (name: string) => `Change: ${name.toLowerCase()}`,
    test: (name: string) => `Test: ${name.toLowerCase()}`,
    turnOff: (name: string) => `Turn off: ${name.toLowerCase()}`,
    save: 'Save',
    url: 'Address',
    urlHint: 'Begins with https://. It is stored encrypted and never shown again.',
    kept: (origin: string) => `Leave it empty to keep the address at ${origin}.`,
    headersHint:
      'One per line, such as Authorization: Bearer … Values are stored encrypted and never shown.',
    headersKept: 'Leave it empty to keep them. For another host, enter them again.',
    badHeaders: 'Each line is a name, a colon and a value.',
    bodyHint:
      'Can contain {orderId}, {kind}, {amount}, {currency}, {member}, {username}, {memberId}.',
    seconds: 'Seconds after the alert',
    badSeconds: 'A whole number from 1 to 3600.',
    delivered: (status: number, ms: number) => `Answered ${status} in ${ms} ms.`,
    failed: (error: string) => `It failed: ${error}`,
    offEffect: 'Members who miss an alert are no longer called through it.',
  },
  names: {
    lead: 'What customers see as names of providers and ways to pay. Leave one empty to show its own name.',
    providers: 'Providers',
    methods: 'Ways to pay',
    preview: 'On the payment page',
    changeNames: 'Change display names',
    nothing: 'No name is changed yet.',
  },
} as const;
