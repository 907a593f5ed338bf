/** The words of a merchant's alerts, for operators and the merchant's own people. */
export const texts = {
  lead: 'You are alerted once when a problem begins, and once when it is over.',
  when: 'Alert when',
  lowBalance: 'The balance is low',
  limit: 'Alert below (PKR available)',
  wrongLimit: 'An amount above 0, with at most 4 decimal places.',
  failingWebhooks: 'Webhooks fail',
  failingWebhooksHint: 'Three attempts in a row at one receiver.',
  where: 'Send alerts to',
  alertEmails: 'E-mail addresses',
  alertEmailsHint: 'One on each line, five at most. A mail goes to each.',
} as const;

/** How changes of these settings are called, among others; the last three are of versions before. */
export const changes: Readonly<Record<string, string>> = {
  alertEmails: 'Alerts by e-mail',
  lowBalance: 'Alert below a balance of',
  failingWebhooks: 'Alert when webhooks fail',
  alertUrl: 'Alerts to the address',
  refusedRequests: 'Alert from so many refused requests an hour',
  failedOrders: 'Alert when many orders fail',
};
