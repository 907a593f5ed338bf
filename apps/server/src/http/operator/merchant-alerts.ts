import { CHANGE_MERCHANT_ALERT_SETTINGS, READ_MERCHANT_ALERT_SETTINGS } from '@munshi/api';
import { type AlertSettings, includesRole } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changeAlertSettings, readAlertSettings } from '../../services/merchant-alerts.ts';
import { doWrite } from '../../services/write.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { readAlertChange, showAlertSettings } from '../merchant-alerts.ts';
import { callerOf } from './access.ts';

/** What a merchant is alerted to. */
export function merchantAlertRoutes(app: FastifyInstance, deps: Deps): void {
  const shownTo =
    ({ operator }: Pick<FastifyRequest, 'operator'>) =>
    (settings: AlertSettings) =>
      showAlertSettings(settings, deps, includesRole(operator.role, 'admin') ? ['change'] : []);

  bind(app, READ_MERCHANT_ALERT_SETTINGS, async (request) => {
    const { merchantId } = request.params;
    return { data: shownTo(request)(await readAlertSettings(deps, merchantId)) };
  });

  bind(app, CHANGE_MERCHANT_ALERT_SETTINGS, async (request) => {
    const { merchantId } = request.params;
    const work = changeAlertSettings(merchantId, readAlertChange(request));
    return { data: await doWrite(deps, callerOf(request), work, shownTo(request)) };
  });
}
