import type { AlertSettingsView, ChangeAlertSettings } from '@munshi/api';
import type { AlertSettings } from '@munshi/core';
import type { FastifyRequest } from 'fastify';
import type { Deps } from './deps.ts';
import { exactNumbers, jsonMoneyOrNull, positiveMoney } from './values.ts';

/** Alerts of a merchant, as both faces show and read their settings. */
export const showAlertSettings = (
  settings: AlertSettings,
  { mail }: Pick<Deps, 'mail'>,
  allowedActions: AlertSettingsView['allowedActions'],
): AlertSettingsView => ({
  alertUrl: settings.alertUrl,
  alertEmails: [...settings.alertEmails],
  lowBalance: jsonMoneyOrNull(settings.lowBalance),
  failingWebhooks: settings.failingWebhooks,
  refusedRequests: settings.refusedRequests,
  failedOrders: settings.failedOrders,
  mailAvailable: mail !== undefined,
  allowedActions,
});

/** The change that a request asks for. Throws FieldErrors. */
export function readAlertChange(
  request: FastifyRequest & { readonly body: ChangeAlertSettings },
): Partial<AlertSettings> {
  const { lowBalance: _, ...plain } = request.body;
  const { lowBalance } = exactNumbers(request, { lowBalance: positiveMoney });
  return { ...plain, ...(lowBalance !== undefined && { lowBalance }) };
}
