import type { AlertSettingsView, ChangeAlertSettings, Given } from '@munshi/api';
import type { AlertSettings } from '@munshi/core';
import type { Deps } from '../people/deps.ts';
import { positiveMoney, readBody, type Sources } from '../platform/http/values.ts';

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
export const readAlertChange = (
  request: Sources & { readonly body: ChangeAlertSettings },
): Given<ChangeAlertSettings> => readBody(request, { lowBalance: positiveMoney });
