import {
  type Given,
  PORTAL_CHANGE_SETTINGS,
  PORTAL_READ_MERCHANT,
  PORTAL_READ_SETTINGS,
  type PortalSettingsView,
} from '@munshi/api';
import { includesPortalRole, ownKeyActions } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changeOwnMerchant, LOGO_BODY_BYTES } from '../../services/merchants.ts';
import { found } from '../../services/refusals.ts';
import { doWrite } from '../../services/write.ts';
import { findMerchant, type MerchantRecord } from '../../storage/merchants/merchants.ts';
import { readPlatformSettings } from '../../storage/settings.ts';
import { bind, type RequestTo } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { logoPath } from '../values.ts';
import { callerOf } from './access.ts';

export const merchantOf = ({ portal }: Pick<FastifyRequest, 'portal'>) =>
  portal.principal.merchantId;

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
}

const showSettings = (
  { portal }: Pick<FastifyRequest, 'portal'>,
  merchant: MerchantRecord,
  pathPrefix: string,
): Given<PortalSettingsView> => ({
  ...merchant,
  logo: merchant.logo === null ? null : `${pathPrefix}${logoPath(merchant.logo)}`,
  yourAddress: portal.address,
  allowedActions: includesPortalRole(portal.principal.role, 'admin') ? ['change'] : [],
});
