import {
  type Given,
  PORTAL_CHANGE_ALERT_SETTINGS,
  PORTAL_LIST_ALERTS,
  PORTAL_READ_ALERT_SETTINGS,
  PORTAL_TEST_ALERT,
  type PortalAlertView,
} from '@munshi/api';
import { ALERT_TEST_TEXT, type AlertSettings, alertText } from '@munshi/core';
import { merchantOf, type PortalCaller, type PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { doWrite, type Work } from '../writes/write.ts';
import { readAlertChange, showAlertSettings } from './routes.ts';
import { changeOwnAlertSettings, readAlertSettings, sendTestAlert } from './service.ts';
import { type ListedAlert, listMerchantAlerts } from './store.ts';

/** What the merchant is alerted to, and how that went. */
export function alertRoutes(face: PortalFace, deps: Deps): void {
  const { pool } = deps.database;
  const shownTo = (caller: PortalCaller) => (settings: AlertSettings) =>
    showAlertSettings(settings, deps, actionsOf(settings, caller.principal));

  bind(face, PORTAL_READ_ALERT_SETTINGS, async (_request, caller) => ({
    data: shownTo(caller)(await readAlertSettings(deps, merchantOf(caller))),
  }));

  bind(face, PORTAL_CHANGE_ALERT_SETTINGS, async (request, caller) => {
    const asked = { merchantId: merchantOf(caller), change: readAlertChange(request) };
    const work: Work<AlertSettings> = (client, now) => changeOwnAlertSettings(client, asked, now);
    return { data: await doWrite(deps, caller, work, shownTo(caller)) };
  });

  bind(face, PORTAL_LIST_ALERTS, async (request, caller) => {
    const page = pageOf(request.query);
    const place = { merchantId: merchantOf(caller), ...page.place };
    const rows = await listMerchantAlerts(pool, place);
    return pageAnswer(page, rows, ({ alertId }) => alertId, showAlert);
  });

  bind(face, PORTAL_TEST_ALERT, async (_request, caller) => ({
    data: await doWrite(deps, caller, sendTestAlert(deps, merchantOf(caller))),
  }));
}

function actionsOf(
  { alertEmails }: AlertSettings,
  { capabilities }: PortalCaller['principal'],
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
