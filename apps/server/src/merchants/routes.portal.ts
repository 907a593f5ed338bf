import {
  type Given,
  PORTAL_CHANGE_SETTINGS,
  PORTAL_READ_MERCHANT,
  PORTAL_READ_SETTINGS,
  PORTAL_TEST_ADDRESS,
  type PortalSettingsView,
} from '@munshi/api';
import { ownKeyActions } from '@munshi/core';
import { merchantOf, type PortalCaller, type PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind, type RequestTo } from '../platform/http/bind.ts';
import { found } from '../platform/refusals.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { doWrite } from '../writes/write.ts';
import { logoPath } from './logo.ts';
import { changeOwnMerchant, LOGO_BODY_BYTES, testAddress } from './service.ts';
import { findMerchant, type MerchantRecord } from './store.ts';

/** The merchant itself, and its settings. */
export function merchantRoutes(face: PortalFace, deps: Deps): void {
  const { pool } = deps.database;
  const own = async (caller: PortalCaller) =>
    found(await findMerchant(pool, merchantOf(caller)), 'Merchant');

  bind(face, PORTAL_READ_MERCHANT, async (_request, caller) => {
    const merchant = await own(caller);
    const { displayNames } = await readPlatformSettings(pool);
    const operatorEmail = deps.supportEmail ?? null;
    const allowedActions = ownKeyActions(merchant, caller.principal);
    return { data: { ...merchant, operatorEmail, displayNames, allowedActions } };
  });

  bind(face, PORTAL_READ_SETTINGS, async (_request, caller) => ({
    data: showSettings(caller, await own(caller), deps.pathPrefix),
  }));
  const change = async (
    request: RequestTo<typeof PORTAL_CHANGE_SETTINGS>,
    caller: PortalCaller,
  ) => {
    const show = (merchant: MerchantRecord) => showSettings(caller, merchant, deps.pathPrefix);
    const work = await changeOwnMerchant(merchantOf(caller), request.body);
    return { data: await doWrite(deps, caller, work, show) };
  };
  bind(face, PORTAL_CHANGE_SETTINGS, change, { bodyLimit: LOGO_BODY_BYTES });
  bind(face, PORTAL_TEST_ADDRESS, async (request, caller) => ({
    data: await testAddress(deps, merchantOf(caller), request.body),
  }));
}

const showSettings = (
  caller: PortalCaller,
  merchant: MerchantRecord,
  pathPrefix: string,
): Given<PortalSettingsView> => ({
  ...merchant,
  logo: merchant.logo === null ? null : `${pathPrefix}${logoPath(merchant.logo)}`,
  yourAddress: caller.address,
  allowedActions: caller.principal.capabilities.has('write') ? ['change'] : [],
});
