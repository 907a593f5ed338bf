import { CHANGE_MERCHANT_ALERT_SETTINGS, READ_MERCHANT_ALERT_SETTINGS } from '@munshi/api';
import type { AlertSettings, AskingOperator } from '@munshi/core';
import { operatorWrite } from '../door/door.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { readAlertChange, showAlertSettings } from './routes.ts';
import {
  alertChangeWaits,
  changeAlertSettings,
  explainAlertChange,
  readAlertSettings,
} from './service.ts';

/** What a merchant is alerted to. */
export function merchantAlertRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, READ_MERCHANT_ALERT_SETTINGS, async ({ params }, operator) => ({
    data: shownBy(deps)(await readAlertSettings(deps, params.merchantId), operator),
  }));
}

/** Their change may wait for a second operator. */
export const merchantAlertWrites = (deps: Deps) => ({
  CHANGE_MERCHANT_ALERT_SETTINGS: operatorWrite(deps, CHANGE_MERCHANT_ALERT_SETTINGS, {
    read: (asked) => ({ merchantId: asked.params.merchantId, change: readAlertChange(asked) }),
    needsTwo: alertChangeWaits,
    explain: explainAlertChange,
    work: changeAlertSettings,
    show: shownBy(deps),
  }),
});

const shownBy =
  (deps: Deps) =>
  (settings: AlertSettings, { capabilities }: AskingOperator) =>
    showAlertSettings(settings, deps, capabilities.has('write') ? ['change'] : []);
