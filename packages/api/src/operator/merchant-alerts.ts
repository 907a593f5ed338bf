import { one } from '../decider.ts';
import { ALERT_CHANGES, AlertSettingsView } from '../merchant-alerts.ts';
import { dataOf, endpoint, write } from './schemas.ts';

/** The alerts of a merchant, as its own people set them in the portal. */

export const READ_MERCHANT_ALERT_SETTINGS = endpoint(
  'GET /merchants/:merchantId/alert-settings',
  'Merchants',
  'Read what a merchant is alerted to',
  { role: 'viewer', answer: dataOf(AlertSettingsView, 'All are off unless they were set.') },
);
export const CHANGE_MERCHANT_ALERT_SETTINGS = write(
  'PATCH /merchants/:merchantId/alert-settings',
  'Merchants',
  'Change what a merchant is alerted to',
  {
    role: 'admin',
    decides: one('It says who is told of what, and moves no money.'),
    audit: ['merchant-alerts.change'],
    description: 'Null and false turn off.',
    body: ALERT_CHANGES,
    answer: dataOf(AlertSettingsView, 'The settings.'),
  },
);
