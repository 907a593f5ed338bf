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
    'Receives webhooks of orders without their own callbackUrl. A change applies to new orders only.',
  callbackHint:
    'An http or https URL that can be reached from the internet. Leave it empty for none.',
} as const;
