import {
  CHANGE_MERCHANT,
  type ChangeMerchant,
  CREATE_MERCHANT,
  type CreateMerchant,
  LIST_MERCHANTS,
  type ListMerchants,
  READ_BALANCE,
  READ_MERCHANT,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { changeMerchant, createMerchant } from '../../services/merchants.ts';
import { found } from '../../services/refusals.ts';
import { findMerchant, listMerchants } from '../../storage/merchants.ts';
import { findWallet } from '../../storage/wallets.ts';
import type { Deps } from '../deps.ts';
import { pageOf, sendData, sendList } from '../json.ts';
import { callerOf } from './access.ts';
import { showBalance, showMerchant } from './views.ts';

type AboutMerchant<Body = unknown> = { Params: { merchantId: string }; Body: Body };

/** Merchants and their balances. */
export function merchantRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  app.post<{ Body: CreateMerchant }>(
    '/merchants',
    { schema: CREATE_MERCHANT },
    async (request, reply) => {
      const merchant = await createMerchant(deps, callerOf(request), request.body, showMerchant);
      return sendData(reply, showMerchant(merchant));
    },
  );

  app.patch<AboutMerchant<ChangeMerchant>>(
    '/merchants/:merchantId',
    { schema: CHANGE_MERCHANT },
    async (request, reply) => {
      const { merchantId } = request.params;
      const merchant = await changeMerchant(
        deps,
        callerOf(request),
        merchantId,
        request.body,
        showMerchant,
      );
      return sendData(reply, showMerchant(merchant));
    },
  );

  app.get<AboutMerchant>(
    '/merchants/:merchantId',
    { schema: READ_MERCHANT },
    async ({ params }, reply) =>
      sendData(reply, showMerchant(found(await findMerchant(pool, params.merchantId), 'Merchant'))),
  );

  app.get<{ Querystring: ListMerchants }>(
    '/merchants',
    { schema: LIST_MERCHANTS },
    async ({ query }, reply) => {
      const page = pageOf(query);
      const { search = null, status = null } = query;
      const { after, limit } = page;
      const rows = await listMerchants(pool, { search, status, after, limit: limit + 1 });
      return sendList(reply, page, rows, ({ merchantId }) => merchantId, showMerchant);
    },
  );

  app.get<AboutMerchant>(
    '/merchants/:merchantId/balance',
    { schema: READ_BALANCE },
    async ({ params }, reply) =>
      sendData(reply, showBalance(found(await findWallet(pool, params.merchantId), 'Merchant'))),
  );
}
