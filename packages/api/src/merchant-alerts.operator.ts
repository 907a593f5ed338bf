import { alertsNeedTwo } from '@munshi/core';
import { byChange } from './contract/decider.ts';
import { dataOf, operator, orWaiting } from './contract/operator.ts';
import { ALERT_CHANGES, AlertSettingsView } from './merchant-alerts.ts';

/** The alerts of a merchant, as its own people set them in the portal. */

const { endpoint, write } = operator('Merchants');

export const READ_MERCHANT_ALERT_SETTINGS = endpoint('GET /merchants/:merchantId/alert-settings', {
  summary: 'Read what a merchant is alerted to',
  needs: 'read',
  answer: dataOf(AlertSettingsView, 'All are off unless they were set.'),
});
export const CHANGE_MERCHANT_ALERT_SETTINGS = write('PATCH /merchants/:merchantId/alert-settings', {
  summary: 'Change what a merchant is alerted to',
  needs: 'write',
  decides: byChange('An alert that reaches fewer, later or none.', alertsNeedTwo),
  audit: ['approval.request', 'merchant-alerts.change'],
  description: 'Null and false turn off.',
  body: ALERT_CHANGES,
  answer: orWaiting(AlertSettingsView, 'The settings, or `pendingApproval`.'),
  refusals: ['wrong-state'],
});
