import { ADD_API_KEY, LIST_API_KEYS, REGENERATE_API_KEY, REVOKE_API_KEY } from '@munshi/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  explainKey,
  issueKey,
  type MadeKey,
  type NewKey,
  revokeKey,
} from '../../services/api-keys.ts';
import { found } from '../../services/refusals.ts';
import { doWrite } from '../../services/write.ts';
import type { ApiKeyRecord } from '../../storage/merchants/api-keys.ts';
import { findMerchant } from '../../storage/merchants/merchants.ts';
import { answerKeys } from '../api-keys.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { askingOperator, callerOf } from './access.ts';
import { bindWrite, type OperatorWrite } from './door.ts';
import { showKey } from './views.ts';

const shownTo =
  ({ operator }: Pick<FastifyRequest, 'operator'>) =>
  (key: ApiKeyRecord) =>
    showKey(key, askingOperator(operator));

/** API keys with their signing secrets, which are shown once. */
export function apiKeyRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;
  const findOne = async (merchantId: string) =>
    found(await findMerchant(pool, merchantId), 'Merchant');

  bindWrite(app, deps, ADD_API_KEY, issuing(false));
  bindWrite(app, deps, REGENERATE_API_KEY, issuing(true));

  function issuing(
    revokesOthers: boolean,
  ): OperatorWrite<typeof ADD_API_KEY | typeof REGENERATE_API_KEY, NewKey, MadeKey> {
    return {
      kind: 'api-key',
      read: ({ params: { merchantId } }) => ({ merchantId, revokesOthers }),
      explain: explainKey,
      work: (client, key, now) => issueKey(client, now, key, deps),
    };
  }

  bind(app, REVOKE_API_KEY, async (request) => {
    const work = revokeKey(request.params);
    return { data: await doWrite(deps, callerOf(request), work, shownTo(request)) };
  });

  bind(app, LIST_API_KEYS, async (request) => {
    const { merchantId } = await findOne(request.params.merchantId);
    return answerKeys(deps, merchantId, request.query, shownTo(request));
  });
}
