import type { ChangeAlertSettings } from '@munshi/api';

interface KindTexts {
  readonly label: string;
  readonly hint?: string;
  /** Of the field with its limit, and what is said where that is wrong. */
  readonly limit?: string;
  readonly wrong?: string;
  /** How a change of it is called, among others. */
  readonly change: string;
}

/** What a merchant can be alerted to, by its setting. */
export const kinds = {
  lowBalance: {
    label: 'The balance is low',
    limit: 'Alert below (PKR available)',
    wrong: 'An amount above 0, with at most 4 decimal places.',
    change: 'Alert below a balance of',
  },
  failingWebhooks: {
    label: 'Webhooks fail',
    hint: 'Three attempts in a row at one receiver.',
    change: 'Alert when webhooks fail',
  },
  refusedRequests: {
    label: 'Many requests are refused',
    limit: 'Alert from (refused within an hour)',
    wrong: 'A whole number above 0.',
    change: 'Alert from so many refused requests an hour',
  },
  failedOrders: {
    label: 'Many orders fail',
    hint: 'Half of ten orders of an hour or more, and twice yesterday’s share.',
    change: 'Alert when many orders fail',
  },
} as const satisfies Record<Exclude<keyof ChangeAlertSettings, 'alertEmails'>, KindTexts>;
export type AlertName = keyof typeof kinds;
export const textsOf = (name: AlertName): KindTexts => kinds[name];

/** How changes of these settings are called, among others. */
export const changes: Readonly<Record<string, string>> = {
  alertUrl: 'Alerts to the address', // of versions before, in the audit log
  alertEmails: 'Alerts by e-mail',
  ...Object.fromEntries(Object.entries(kinds).map(([name, { change }]) => [name, change])),
};
