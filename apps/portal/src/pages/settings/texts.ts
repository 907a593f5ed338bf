export const texts = {
  title: 'Settings and people',
  tabs: {
    webhooks: 'Webhooks',
    addresses: 'IP addresses',
    page: 'Payment page',
    alerts: 'Alerts',
    people: 'People',
  },
  callback: 'Default callback URL',
  callbackLead:
    'Receives the webhooks of orders that were made without a callbackUrl of their own. Orders keep the one that they were made with.',
  callbackHint: 'Absolute http or https, reachable from the internet. Empty: none.',
} as const;
