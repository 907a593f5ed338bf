import {
  type Given,
  PORTAL_ADD_KEY,
  PORTAL_FETCH_KEY,
  PORTAL_LIST_KEY_REQUESTS,
  PORTAL_LIST_KEYS,
  PORTAL_REGENERATE_KEY,
  PORTAL_REVOKE_KEY,
  type PortalKeyView,
  type ReadyKeyView,
} from '@munshi/api';
import { type Approval, fetchedUntil, ownKeyAction } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findMerchant } from '../merchants/store.ts';
import { callerOf } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind, type RequestTo } from '../platform/http/bind.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { fetchRequestedKey, listKeyRequests } from './requests.service.ts';
import { answerKeys } from './routes.ts';
import { issueOwnKey, type OwnKeyCaller, revokeOwnKey } from './service.ts';
import { type ApiKeyRecord, readKeyUses } from './store.ts';

/** The merchant's API keys, which its admins issue where the operator allows it. */
export function keyRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  async function shownTo({ portal: { principal } }: Pick<FastifyRequest, 'portal'>) {
    const merchant = found(await findMerchant(pool, principal.merchantId), 'Merchant');
    return (key: ApiKeyRecord): Given<PortalKeyView> => ({
      ...key,
      allowedActions: ownKeyAction(key, merchant, principal),
    });
  }

  bind(app, PORTAL_LIST_KEYS, async (request) => {
    const { merchantId } = request.portal.principal;
    const show = await shownTo(request);
    const uses = await readKeyUses(pool, merchantId);
    return answerKeys(deps, merchantId, request.query, (key) => {
      return { ...show(key), lastUse: uses.get(key.keyId) ?? null };
    });
  });

  for (const [endpoint, revokesOthers] of [
    [PORTAL_ADD_KEY, false],
    [PORTAL_REGENERATE_KEY, true],
  ] as const)
    bind(app, endpoint, async (request) => {
      const work = await issueOwnKey(deps, byCode(request), { revokesOthers });
      return { data: await doWrite(deps, callerOf(request), work) };
    });
  bind(app, PORTAL_LIST_KEY_REQUESTS, async ({ portal: { principal } }) => ({
    data: (await listKeyRequests(pool, principal, deps.clock.now())).map(showReadyKey),
  }));
  bind(app, PORTAL_FETCH_KEY, async (request) => {
    const work = await fetchRequestedKey(deps, byCode(request), request.params.approvalId);
    return { data: await doWrite(deps, callerOf(request), work) };
  });

  bind(app, PORTAL_REVOKE_KEY, async (request) => {
    const work = await revokeOwnKey(deps, byCode(request), request.params.keyId);
    return { data: await doWrite(deps, callerOf(request), work, await shownTo(request)) };
  });
}

const showReadyKey = (approval: Approval): Given<ReadyKeyView> => ({
  ...approval,
  approvedAt: approval.decidedAt ?? approval.requestedAt,
  fetchableUntil: fetchedUntil(approval),
  revokesOthers: approval.request['revokesOthers'] === true,
});

const byCode = (
  request: Pick<RequestTo<typeof PORTAL_ADD_KEY>, 'body'> & FastifyRequest,
): OwnKeyCaller => ({
  caller: callerOf(request),
  merchantId: request.portal.principal.merchantId,
  oneTimeCode: request.body.oneTimeCode,
});
