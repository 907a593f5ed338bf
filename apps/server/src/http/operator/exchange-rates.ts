import {
  LIST_EXCHANGE_RATES,
  type Page,
  SET_EXCHANGE_RATE,
  type SetExchangeRate,
} from '@munshi/api';
import { CURRENCIES, type Factor, formatFactor } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import {
  type ExchangeRate,
  insertExchangeRate,
  listExchangeRates,
} from '../../storage/exchange-rates.ts';
import type { Deps } from '../deps.ts';
import {
  exactNumbers,
  jsonFactor,
  jsonTime,
  pageOf,
  positiveFactor,
  sendData,
  sendList,
} from '../json.ts';
import { recordedWrite } from './write.ts';

const show = ({ currency, rate, validFrom }: ExchangeRate) => ({
  currency,
  rate: jsonFactor(rate),
  validFrom: jsonTime(validFrom),
});

/** PKR per unit of a currency, for orders accepted from then on (D44). */
export function exchangeRateRoutes(app: FastifyInstance, deps: Deps): void {
  app.post<{ Body: SetExchangeRate }>(
    '/exchange-rates',
    { schema: SET_EXCHANGE_RATE },
    async (request, reply) => {
      const { currency } = request.body;
      const { rate } = exactNumbers(request, { rate: positiveFactor });
      const set = await recordedWrite(deps, request, async (client, now) => {
        const result: ExchangeRate = { currency, rate: rate as Factor, validFrom: now };
        await insertExchangeRate(client, result);
        return {
          result,
          answer: show(result),
          action: 'exchange-rate.set',
          target: currency,
          detail: { rate: formatFactor(result.rate) },
        };
      });
      return sendData(reply, show(set));
    },
  );

  app.get<{ Querystring: Page }>(
    '/exchange-rates',
    { schema: LIST_EXCHANGE_RATES },
    async (request, reply) => {
      const page = pageOf(request.query, (text) =>
        CURRENCIES.some((currency) => currency === text),
      );
      const rows = await listExchangeRates(deps.database.pool, {
        at: deps.clock.now(),
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ currency }) => currency, show);
    },
  );
}
