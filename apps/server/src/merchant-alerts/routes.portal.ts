import {
  type Given,
  PORTAL_CHANGE_ALERT_SETTINGS,
  PORTAL_LIST_ALERTS,
  PORTAL_READ_ALERT_SETTINGS,
  PORTAL_TEST_ALERT,
  type PortalAlertView,
} from '@munshi/api';
import { ALERT_TEST_TEXT, type AlertSettings, alertText } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf, merchantOf } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { doWrite, type Work } from '../writes/write.ts';
import { readAlertChange, showAlertSettings } from './routes.ts';
import { changeOwnAlertSettings, readAlertSettings, sendTestAlert } from './service.ts';
import { type ListedAlert, listMerchantAlerts } from './store.ts';

/** What the merchant is alerted to, and how that went. */
export function alertRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;
  const shownTo =
    ({ portal }: Pick<FastifyRequest, 'portal'>) =>
    (settings: AlertSettings) =>
      showAlertSettings(settings, deps, actionsOf(settings, portal.principal));

  bind(app, PORTAL_READ_ALERT_SETTINGS, async (request) => ({
    data: shownTo(request)(await readAlertSettings(deps, merchantOf(request))),
  }));

  bind(app, PORTAL_CHANGE_ALERT_SETTINGS, async (request) => {
    const asked = { merchantId: merchantOf(request), change: readAlertChange(request) };
    const work: Work<AlertSettings> = (client, now) => changeOwnAlertSettings(client, asked, now);
    return { data: await doWrite(deps, callerOf(request), work, shownTo(request)) };
  });

  bind(app, PORTAL_LIST_ALERTS, async (request) => {
    const page = pageOf(request.query);
    const place = { merchantId: merchantOf(request), ...page.place };
    const rows = await listMerchantAlerts(pool, place);
    return pageAnswer(page, rows, ({ alertId }) => alertId, showAlert);
  });

  bind(app, PORTAL_TEST_ALERT, async (request) => ({
    data: await doWrite(deps, callerOf(request), sendTestAlert(deps, merchantOf(request))),
  }));
}

function actionsOf(
  { alertEmails }: AlertSettings,
  { capabilities }: FastifyRequest['portal']['principal'],
): ('change' | 'test')[] {
  if (!capabilities.has('write')) return [];
  return alertEmails.length === 0 ? ['change'] : ['change', 'test'];
}

const showAlert = (alert: ListedAlert): Given<PortalAlertView> => ({
  ...alert,
  test: alert.kind === 'test',
  message:
    alert.condition === null
      ? ALERT_TEST_TEXT
      : alertText({ condition: alert.condition, endedAt: null }),
});
