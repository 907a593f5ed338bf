import { CHANGE_MERCHANT_ALERT_SETTINGS, READ_MERCHANT_ALERT_SETTINGS } from '@munshi/api';
import { type AlertSettings, type AskingOperator, includesRole } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import {
  alertChangeWaits,
  changeAlertSettings,
  explainAlertChange,
  readAlertSettings,
} from '../../services/merchant-alerts.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { readAlertChange, showAlertSettings } from '../merchant-alerts.ts';
import { askingOperator } from './access.ts';
import { bindWrite } from './door.ts';

/** What a merchant is alerted to. */
export function merchantAlertRoutes(app: FastifyInstance, deps: Deps): void {
  const show = (settings: AlertSettings, { role }: AskingOperator) =>
    showAlertSettings(settings, deps, includesRole(role, 'admin') ? ['change'] : []);

  bind(app, READ_MERCHANT_ALERT_SETTINGS, async ({ params, operator }) => ({
    data: show(await readAlertSettings(deps, params.merchantId), askingOperator(operator)),
  }));

  bindWrite(app, deps, CHANGE_MERCHANT_ALERT_SETTINGS, {
    read: (asked) => ({ merchantId: asked.params.merchantId, change: readAlertChange(asked) }),
    needsTwo: alertChangeWaits,
    explain: explainAlertChange,
    work: changeAlertSettings,
    show,
  });
}
