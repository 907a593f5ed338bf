import {
  type Given,
  PORTAL_CHANGE_SETTINGS,
  PORTAL_READ_MERCHANT,
  PORTAL_READ_SETTINGS,
  PORTAL_TEST_ADDRESS,
  type PortalSettingsView,
} from '@munshi/api';
import { ownKeyActions } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerOf, merchantOf } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind, type RequestTo } from '../platform/http/bind.ts';
import { found } from '../platform/refusals.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { doWrite } from '../writes/write.ts';
import { logoPath } from './logo.ts';
import { changeOwnMerchant, LOGO_BODY_BYTES, testAddress } from './service.ts';
import { findMerchant, type MerchantRecord } from './store.ts';

/** The merchant itself, and its settings. */
export function merchantRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;
  const own = async (request: FastifyRequest) =>
    found(await findMerchant(pool, merchantOf(request)), 'Merchant');

  bind(app, PORTAL_READ_MERCHANT, async (request) => {
    const merchant = await own(request);
    const { displayNames } = await readPlatformSettings(pool);
    const operatorEmail = deps.supportEmail ?? null;
    const allowedActions = ownKeyActions(merchant, request.portal.principal);
    return { data: { ...merchant, operatorEmail, displayNames, allowedActions } };
  });

  bind(app, PORTAL_READ_SETTINGS, async (request) => ({
    data: showSettings(request, await own(request), deps.pathPrefix),
  }));
  const change = async (request: RequestTo<typeof PORTAL_CHANGE_SETTINGS>) => {
    const show = (merchant: MerchantRecord) => showSettings(request, merchant, deps.pathPrefix);
    const work = await changeOwnMerchant(merchantOf(request), request.body);
    return { data: await doWrite(deps, callerOf(request), work, show) };
  };
  bind(app, PORTAL_CHANGE_SETTINGS, change, { bodyLimit: LOGO_BODY_BYTES });
  bind(app, PORTAL_TEST_ADDRESS, async (request) => ({
    data: await testAddress(deps, merchantOf(request), request.body),
  }));
}

const showSettings = (
  { portal }: Pick<FastifyRequest, 'portal'>,
  merchant: MerchantRecord,
  pathPrefix: string,
): Given<PortalSettingsView> => ({
  ...merchant,
  logo: merchant.logo === null ? null : `${pathPrefix}${logoPath(merchant.logo)}`,
  yourAddress: portal.address,
  allowedActions: portal.principal.capabilities.has('write') ? ['change'] : [],
});
