const grouped = (count: number) => count.toLocaleString('en');

/** Every word of the first page. */
export const texts = {
  title: 'Home',
  balance: 'Your wallet',
  available: 'Available',
  reserved: 'Reserved',
  frozen: 'Frozen',
  /** How they add up. */
  sentence: (wallet: string, reserved: string, available: string) =>
    `Your wallet holds ${wallet}. ${reserved} of it is reserved for withdrawals in progress, so ${available} is available.`,
  nothingReserved: (wallet: string) => `Your wallet holds ${wallet}, and all of it is available.`,
  frozenSentence: (frozen: string) => `Another ${frozen} is frozen and not in the wallet.`,
  toMoney: 'Every movement',
  daysIn: (timeZone: string) => `Days in ${timeZone}`,
  today: 'Today',
  yesterday: 'Yesterday',
  deposits: 'Deposits',
  withdrawals: 'Withdrawals',
  created: 'Created',
  intoWallet: 'Into the wallet',
  fromWallet: 'From the wallet',
  rate: 'Succeeded',
  median: 'Median time',
  count: grouped,
  percent: (percent: number) => `${percent} %`,
  rateOf: (completed: number, ended: number) =>
    `${grouped(completed)} of ${grouped(ended)} that ended`,
  nothing: '–',
  concerns: 'Needs attention',
  allWell: 'Nothing needs your attention.',
  webhooksFailing: (host: string) => `Webhooks to ${host} are failing`,
  since: 'since',
  toWebhooks: 'See why',
  belowLimit: (available: string, limit: string) =>
    `Only ${available} is available, less than your limit of ${limit}`,
  lowBalance: (available: string, yesterday: string) =>
    `Only ${available} is available, and yesterday’s withdrawals took ${yesterday}`,
  manyFailures: (failed: number, ended: number) =>
    `${grouped(failed)} of ${grouped(ended)} orders failed in the last hour`,
  toFailed: 'See them',
  manyRefusals: (refused: number) => `${grouped(refused)} requests were refused in the last hour`,
  toRefusals: 'See why',
  noCallback: 'No callback URL is set, so orders without one of their own send no webhooks',
  toSettings: 'Set it',
  keyOld: (prefix: string) => `API key ${prefix} is more than a year old`,
  keyUnused: (prefix: string) => `API key ${prefix} is not used`,
  toKeys: 'See the keys',
  checklist: 'Getting started',
  stepsDone: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done',
  toDo: 'To do',
  steps: {
    'api-key': {
      what: 'You have an API key',
      hint: 'Your requests are signed with its secret.',
      to: '/developers',
      label: 'Keys',
    },
    'signed-request': {
      what: 'Your first signed request has arrived',
      hint: 'If it is refused, the signature checker shows what differs.',
      to: '/developers',
      label: 'Check a signature',
    },
    'webhook-received': {
      what: 'Your server has received a webhook',
      hint: 'It answers 2xx within five seconds.',
      to: '/webhooks',
      label: 'Send a test event',
    },
    'webhook-verified': {
      what: 'Your server has accepted a test event',
      hint: 'Verify the signature before you act on a webhook.',
      to: '/webhooks',
      label: 'How to verify',
    },
    'return-addresses': {
      what: 'Customers come back to your shop',
      hint: 'Send successUrl and failureUrl when you create an order.',
      to: '/developers',
      label: 'API reference',
    },
    'ip-list': {
      what: 'Only your servers can create orders',
      hint: 'A stolen key creates none from any other IP address. It still reads.',
      to: '/settings',
      label: 'IP list',
    },
  },
} as const;
