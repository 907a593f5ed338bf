import { hash, randomInt } from 'node:crypto';
import { ADD_API_KEY, LIST_API_KEYS, REGENERATE_API_KEY, REVOKE_API_KEY } from '@munshi/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { uuidV7 } from '../../engine/ids.ts';
import { type ApiKeyRecord, insertApiKey, listApiKeys, revokeApiKey, revokeApiKeys } from '../../storage/api-keys.ts';
import { findMerchant, lockMerchant } from '../../storage/merchants.ts';
import type { Deps } from '../deps.ts';
import { jsonTime, sendAll, sendData } from '../json.ts';
import { found, recordedWrite } from './write.ts';

interface MerchantParams {
  Params: { merchantId: string };
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_START = 'mk_live_';
const KEY_LENGTH = 32;
const SECRET_START = 'sksec_';
const SECRET_LENGTH = 40;
const PREFIX_LENGTH = 8;

const alphanumerics = (length: number) => Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');

const show = ({ keyId, prefix, createdAt, revokedAt }: ApiKeyRecord) => ({ keyId, prefix, createdAt: jsonTime(createdAt), revokedAt: jsonTime(revokedAt) });

/** API keys with their signing secrets: shown once, kept as a hash and sealed (spec: Credentials). Revoking works at once (D25). */
export function apiKeyRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, vault } = deps;

  app.post<MerchantParams>('/merchants/:merchantId/api-keys', { schema: ADD_API_KEY }, (request, reply) => issue(request, reply, false));
  app.post<MerchantParams>('/merchants/:merchantId/api-keys/regenerate', { schema: REGENERATE_API_KEY }, (request, reply) => issue(request, reply, true));

  async function issue(request: FastifyRequest<MerchantParams>, reply: FastifyReply, revokeOthers: boolean) {
    const { merchantId } = request.params;
    const apiKey = `${KEY_START}${alphanumerics(KEY_LENGTH)}`;
    const signingSecret = `${SECRET_START}${alphanumerics(SECRET_LENGTH)}`;
    const prefix = apiKey.slice(KEY_START.length, KEY_START.length + PREFIX_LENGTH);
    const keyId = await recordedWrite(deps, request, async (client, now) => {
      found(await lockMerchant(client, merchantId), 'Merchant');
      const revoked = revokeOthers ? await revokeApiKeys(client, merchantId, now) : [];
      const id = uuidV7(now);
      await insertApiKey(client, { merchantId, keyId: id, keyHash: hash('sha256', apiKey), prefix, createdAt: now, ...vault.seal(signingSecret) });
      const detail = { keyId: id, prefix, revoked: revoked.join(', ') };
      return {
        result: id,
        answer: { keyId: id, prefix, secretShown: true },
        action: revokeOthers ? 'api-key.regenerate' : 'api-key.create',
        target: merchantId,
        detail,
      };
    });
    return sendData(reply.header('cache-control', 'no-store'), { keyId, apiKey, signingSecret, prefix });
  }

  app.delete<{ Params: { merchantId: string; keyId: string } }>(
    '/merchants/:merchantId/api-keys/:keyId',
    { schema: REVOKE_API_KEY },
    async (request, reply) => {
      const { merchantId, keyId } = request.params;
      const key = await recordedWrite(deps, request, async (client, now) => {
        const result = found(await revokeApiKey(client, merchantId, keyId, now), 'API key');
        return { result, action: 'api-key.revoke', target: merchantId, detail: { keyId, prefix: result.prefix } };
      });
      return sendData(reply, show(key));
    },
  );

  app.get<MerchantParams>('/merchants/:merchantId/api-keys', { schema: LIST_API_KEYS }, async (request, reply) => {
    const { merchantId } = found(await findMerchant(database.pool, request.params.merchantId), 'Merchant');
    return sendAll(reply, (await listApiKeys(database.pool, merchantId)).map(show));
  });
}
