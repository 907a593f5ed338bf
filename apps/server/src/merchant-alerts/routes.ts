import type { AlertSettingsView, ChangeAlertSettings, Given } from '@munshi/api';
import type { AlertSettings } from '@munshi/core';
import type { Deps } from '../people/deps.ts';
import { exactNumbers, positiveMoney, type Sources } from '../platform/http/values.ts';

/** Alerts of a merchant, as both faces show and read their settings. */
export const showAlertSettings = (
  settings: AlertSettings,
  { mail }: Pick<Deps, 'mail'>,
  allowedActions: AlertSettingsView['allowedActions'],
): Given<AlertSettingsView> => ({
  ...settings,
  mailAvailable: mail !== undefined,
  allowedActions,
});

/** The change that a request asks for. Throws FieldErrors. */
export function readAlertChange(
  request: Sources & { readonly body: ChangeAlertSettings },
): Partial<AlertSettings> {
  const { lowBalance: _, ...plain } = request.body;
  const { lowBalance } = exactNumbers(request, { lowBalance: positiveMoney });
  return { ...plain, ...(lowBalance !== undefined && { lowBalance }) };
}
