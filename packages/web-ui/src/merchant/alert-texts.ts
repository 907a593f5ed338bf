import type { ChangeAlertSettings } from '@munshi/api';

/** The words of a merchant's alerts, for operators and the merchant's own people. */
export const texts = {
  lead: 'Each alert is told once when it begins, and once when it is over.',
  when: 'What is told',
  lowBalance: 'The balance is low',
  lowBalanceLimit: 'Alert below (PKR available)',
  lowBalanceWrong: 'An amount above 0, with at most 4 decimal places.',
  failingWebhooks: 'Webhooks fail',
  failingWebhooksHint: 'Three attempts in a row at one receiver.',
  refusedRequests: 'Many requests are refused',
  refusedRequestsLimit: 'Alert from (refused within an hour)',
  refusedRequestsWrong: 'A whole number above 0.',
  failedOrders: 'Many orders fail',
  failedOrdersHint: 'Half of ten orders of an hour or more, and twice yesterday’s share.',
  where: 'Where it is told',
  alertUrl: 'Alert URL',
  alertUrlHint: 'Signed like webhooks; nothing of orders is sent there. Empty: none.',
  alertEmails: 'E-mail addresses',
  alertEmailsHint: 'One on each line, five at most. A mail goes to each.',
} as const;

/** How a change of each setting is called, among others. */
export const changes = {
  alertUrl: 'Alerts to the address',
  alertEmails: 'Alerts by e-mail',
  lowBalance: 'Alert below a balance of',
  refusedRequests: 'Alert from so many refused requests an hour',
  failingWebhooks: 'Alert when webhooks fail',
  failedOrders: 'Alert when many orders fail',
} as const satisfies Record<keyof ChangeAlertSettings, string>;
