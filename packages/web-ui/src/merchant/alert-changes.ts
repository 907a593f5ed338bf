/** How changes of these settings are called, among others; the last three are of versions before. */
export const alertChanges = {
  alertEmails: 'Alerts by e-mail',
  lowBalance: 'Alert below a balance of',
  failingWebhooks: 'Alert when webhooks fail',
  alertUrl: 'Alerts to the address',
  refusedRequests: 'Alert from so many refused requests an hour',
  failedOrders: 'Alert when many orders fail',
} as const;
