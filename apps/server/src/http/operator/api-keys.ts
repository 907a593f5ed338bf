import {
  ADD_API_KEY,
  LIST_API_KEYS,
  type Page,
  REGENERATE_API_KEY,
  REVOKE_API_KEY,
} from '@munshi/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { revokeKey } from '../../services/api-keys.ts';
import { performOrAsk } from '../../services/approvals.ts';
import { found } from '../../services/refusals.ts';
import { listApiKeys } from '../../storage/api-keys.ts';
import { findMerchant } from '../../storage/merchants.ts';
import type { Deps } from '../deps.ts';
import { pageOf, sendData, sendList } from '../json.ts';
import { callerOf } from './access.ts';
import { showKey } from './views.ts';

interface MerchantParams {
  Params: { merchantId: string };
}

/**
 * API keys with their signing secrets: shown once, kept as a hash and sealed
 * (merchant-api.md#credentials). Revoking works at once (D25).
 */
export function apiKeyRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  const find = async (merchantId: string) =>
    found(await findMerchant(database.pool, merchantId), 'Merchant');

  app.post<MerchantParams>(
    '/merchants/:merchantId/api-keys',
    { schema: ADD_API_KEY },
    (request, reply) => issue(request, reply, false),
  );
  app.post<MerchantParams>(
    '/merchants/:merchantId/api-keys/regenerate',
    { schema: REGENERATE_API_KEY },
    (request, reply) => issue(request, reply, true),
  );

  async function issue(
    request: FastifyRequest<MerchantParams>,
    reply: FastifyReply,
    revokesOthers: boolean,
  ) {
    const { merchantId, name } = await find(request.params.merchantId);
    const operation = {
      kind: 'api-key',
      target: merchantId,
      request: { merchantId, merchant: name, revokesOthers },
      waits: true,
    } as const;
    return sendData(reply, await performOrAsk(deps, callerOf(request), operation, (key) => key));
  }

  app.delete<{ Params: { merchantId: string; keyId: string } }>(
    '/merchants/:merchantId/api-keys/:keyId',
    { schema: REVOKE_API_KEY },
    async (request, reply) => {
      const key = await revokeKey(deps, callerOf(request), request.params, showKey);
      return sendData(reply, showKey(key));
    },
  );

  app.get<MerchantParams & { Querystring: Page }>(
    '/merchants/:merchantId/api-keys',
    { schema: LIST_API_KEYS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { after, limit } = page;
      const { merchantId } = await find(request.params.merchantId);
      const rows = await listApiKeys(database.pool, { merchantId, after, limit: limit + 1 });
      return sendList(reply, page, rows, ({ keyId }) => keyId, showKey);
    },
  );
}
