import {
  type ChangePortalSettings,
  PORTAL_CHANGE_SETTINGS,
  type PortalSettingsView,
} from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Save, useSave, useWrite } from '@munshi/web-ui';

export type Settings = AsText<PortalSettingsView>;
type Change = AsText<ChangePortalSettings>;
export interface TabProps {
  readonly settings: Settings;
}

/** Changes the merchant's settings from a form. */
export function useChange({ allowedActions }: Settings): Save<Change> {
  const { send } = useWrite(PORTAL_CHANGE_SETTINGS);
  return useSave(allowedActions.includes('change'), (body: Change) => send({ body }));
}
