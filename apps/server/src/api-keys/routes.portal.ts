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
import { findMerchant } from '../merchants/store.ts';
import type { PortalCaller, PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind, type RequestTo } from '../platform/http/bind.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { fetchRequestedKey, listKeyRequests } from './requests.service.ts';
import { answerKeys } from './routes.ts';
import { issueOwnKey, type OwnKeyCaller, revokeOwnKey } from './service.ts';
import { type ApiKeyRecord, readKeyUses } from './store.ts';

/** The merchant's API keys, which its admins issue where the operator allows it. */
export function keyRoutes(face: PortalFace, deps: Deps): void {
  const { pool } = deps.database;

  async function shownTo({ principal }: PortalCaller) {
    const merchant = found(await findMerchant(pool, principal.merchantId), 'Merchant');
    return (key: ApiKeyRecord): Given<PortalKeyView> => ({
      ...key,
      allowedActions: ownKeyAction(key, merchant, principal),
    });
  }

  bind(face, PORTAL_LIST_KEYS, async (request, caller) => {
    const { merchantId } = caller.principal;
    const show = await shownTo(caller);
    const uses = await readKeyUses(pool, merchantId);
    return answerKeys(deps, merchantId, request.query, (key) => {
      return { ...show(key), lastUse: uses.get(key.keyId) ?? null };
    });
  });

  for (const [endpoint, revokesOthers] of [
    [PORTAL_ADD_KEY, false],
    [PORTAL_REGENERATE_KEY, true],
  ] as const)
    bind(face, endpoint, async (request, caller) => {
      const work = await issueOwnKey(deps, byCode(request, caller), { revokesOthers });
      return { data: await doWrite(deps, caller, work) };
    });
  bind(face, PORTAL_LIST_KEY_REQUESTS, async (_request, { principal }) => ({
    data: (await listKeyRequests(pool, principal, deps.clock.now())).map(showReadyKey),
  }));
  bind(face, PORTAL_FETCH_KEY, async (request, caller) => {
    const work = await fetchRequestedKey(deps, byCode(request, caller), request.params.approvalId);
    return { data: await doWrite(deps, caller, work) };
  });

  bind(face, PORTAL_REVOKE_KEY, async (request, caller) => {
    const work = await revokeOwnKey(deps, byCode(request, caller), request.params.keyId);
    return { data: await doWrite(deps, caller, work, await shownTo(caller)) };
  });
}

const showReadyKey = (approval: Approval): Given<ReadyKeyView> => ({
  ...approval,
  approvedAt: approval.decidedAt ?? approval.requestedAt,
  fetchableUntil: fetchedUntil(approval),
  revokesOthers: approval.request['revokesOthers'] === true,
});

const byCode = (
  { body }: Pick<RequestTo<typeof PORTAL_ADD_KEY>, 'body'>,
  caller: PortalCaller,
): OwnKeyCaller => ({
  caller,
  merchantId: caller.principal.merchantId,
  oneTimeCode: body.oneTimeCode,
});
