import {
  ADD_API_KEY,
  ALLOW_OWN_KEYS,
  type ApiKeyView,
  type Given,
  LIST_API_KEYS,
  REGENERATE_API_KEY,
  REVOKE_API_KEY,
} from '@munshi/api';
import { type AskingOperator, apiKeyActions } from '@munshi/core';
import { operatorWrite, type WriteParts } from '../door/door.ts';
import { findMerchant } from '../merchants/store.ts';
import { showMerchant } from '../merchants/view.operator.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { answerKeys } from './routes.ts';
import {
  allowOwnKeys,
  explainKey,
  explainOwnKeys,
  issueKey,
  type MadeKey,
  type NewKey,
  revokeKey,
} from './service.ts';
import type { ApiKeyRecord } from './store.ts';

const showKey = (key: ApiKeyRecord, who: AskingOperator): Given<ApiKeyView> => ({
  ...key,
  allowedActions: apiKeyActions(key, who),
});

const shownTo = (operator: Operator) => (key: ApiKeyRecord) => showKey(key, operator);

/** API keys with their signing secrets, which are shown once. */
export function apiKeyRoutes(face: OperatorFace, deps: Deps): void {
  const { pool } = deps.database;
  const findOne = async (merchantId: string) =>
    found(await findMerchant(pool, merchantId), 'Merchant');

  bind(face, REVOKE_API_KEY, async (request, caller) => {
    const work = revokeKey(request.params);
    return { data: await doWrite(deps, caller, work, shownTo(caller)) };
  });

  bind(face, LIST_API_KEYS, async (request, caller) => {
    const { merchantId } = await findOne(request.params.merchantId);
    return answerKeys(deps, merchantId, request.query, shownTo(caller));
  });
}

/** Writes of keys that may wait for a second operator. */
export const apiKeyWrites = (deps: Deps) => ({
  ADD_API_KEY: operatorWrite(deps, ADD_API_KEY, issuing(deps, false)),
  REGENERATE_API_KEY: operatorWrite(deps, REGENERATE_API_KEY, issuing(deps, true)),

  ALLOW_OWN_KEYS: operatorWrite(deps, ALLOW_OWN_KEYS, {
    kind: 'own-keys',
    read: ({ params: { merchantId }, body: { allowed } }) => ({ merchantId, allowed }),
    needsTwo: async (_client, asked) => ALLOW_OWN_KEYS.decides.needsTwo(undefined, asked),
    explain: explainOwnKeys,
    work: allowOwnKeys,
    show: (merchant, who) => showMerchant(merchant, who, deps.pathPrefix),
  }),
});

function issuing(
  deps: Deps,
  revokesOthers: boolean,
): WriteParts<typeof ADD_API_KEY | typeof REGENERATE_API_KEY, NewKey, MadeKey> {
  return {
    kind: 'api-key',
    read: ({ params: { merchantId } }) => ({ merchantId, revokesOthers }),
    explain: explainKey,
    work: (client, key, now) => issueKey(client, now, key, deps),
  };
}
