import {
  ADD_API_KEY,
  LIST_API_KEYS,
  type Page,
  REGENERATE_API_KEY,
  REVOKE_API_KEY,
} from '@munshi/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiKeyRecord, listApiKeys, revokeApiKey } from '../../storage/api-keys.ts';
import { findMerchant } from '../../storage/merchants.ts';
import type { Deps } from '../deps.ts';
import { jsonTime, pageOf, sendData, sendList } from '../json.ts';
import { actOrAsk } from './second-operator.ts';
import { found, recordedWrite } from './write.ts';

interface MerchantParams {
  Params: { merchantId: string };
}

const show = ({ keyId, prefix, createdAt, revokedAt }: ApiKeyRecord) => ({
  keyId,
  prefix,
  createdAt: jsonTime(createdAt),
  revokedAt: jsonTime(revokedAt),
});

/**
 * API keys with their signing secrets: shown once, kept as a hash and sealed (spec: Credentials).
 * Revoking works at once (D25).
 */
export function apiKeyRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;

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
    const { merchantId, name } = found(
      await findMerchant(database.pool, request.params.merchantId),
      'Merchant',
    );
    return actOrAsk(deps, request, reply, {
      kind: 'api-key',
      target: merchantId,
      request: { merchantId, merchant: name, revokesOthers },
      waits: true,
    });
  }

  app.delete<{ Params: { merchantId: string; keyId: string } }>(
    '/merchants/:merchantId/api-keys/:keyId',
    { schema: REVOKE_API_KEY },
    async (request, reply) => {
      const { merchantId, keyId } = request.params;
      const key = await recordedWrite(deps, request, async (client, now) => {
        const result = found(await revokeApiKey(client, merchantId, keyId, now), 'API key');
        return {
          result,
          action: 'api-key.revoke',
          target: merchantId,
          detail: { keyId, prefix: result.prefix },
        };
      });
      return sendData(reply, show(key));
    },
  );

  app.get<MerchantParams & { Querystring: Page }>(
    '/merchants/:merchantId/api-keys',
    { schema: LIST_API_KEYS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { merchantId } = found(
        await findMerchant(database.pool, request.params.merchantId),
        'Merchant',
      );
      const rows = await listApiKeys(database.pool, {
        merchantId,
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ keyId }) => keyId, show);
    },
  );
}
