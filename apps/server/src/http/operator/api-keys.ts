import { ADD_API_KEY, LIST_API_KEYS, REGENERATE_API_KEY, REVOKE_API_KEY } from '@munshi/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { revokeKey } from '../../services/api-keys.ts';
import { performOrAsk } from '../../services/approvals.ts';
import { found } from '../../services/refusals.ts';
import type { ApiKeyRecord } from '../../storage/merchants/api-keys.ts';
import { findMerchant } from '../../storage/merchants/merchants.ts';
import { answerKeys } from '../api-keys.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { askingOperator, callerOf } from './access.ts';
import { showKey } from './views.ts';

type AboutMerchant = FastifyRequest<{ Params: { merchantId: string } }>;

const shownTo =
  ({ operator }: Pick<FastifyRequest, 'operator'>) =>
  (key: ApiKeyRecord) =>
    showKey(key, askingOperator(operator));

/** API keys with their signing secrets, which are shown once. */
export function apiKeyRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;
  const findOne = async (merchantId: string) =>
    found(await findMerchant(pool, merchantId), 'Merchant');

  bind(app, ADD_API_KEY, (request, reply) => issue(request, reply, false));
  bind(app, REGENERATE_API_KEY, (request, reply) => issue(request, reply, true));

  async function issue(request: AboutMerchant, reply: FastifyReply, revokesOthers: boolean) {
    reply.header('cache-control', 'no-store');
    const { merchantId, name } = await findOne(request.params.merchantId);
    const operation = {
      kind: 'api-key',
      target: merchantId,
      request: { merchantId, merchant: name, revokesOthers },
    } as const;
    return { data: await performOrAsk(deps, callerOf(request), operation, (key) => key) };
  }

  bind(app, REVOKE_API_KEY, async (request) => {
    const show = shownTo(request);
    return { data: show(await revokeKey(deps, callerOf(request), request.params, show)) };
  });

  bind(app, LIST_API_KEYS, async (request) => {
    const { merchantId } = await findOne(request.params.merchantId);
    return answerKeys(deps, merchantId, request.query, shownTo(request));
  });
}
