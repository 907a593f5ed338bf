import { LIST_EXCHANGE_RATES, LIST_RATE_HISTORY, SET_EXCHANGE_RATE } from '@munshi/api';
import { CURRENCIES, isoTime } from '@munshi/core';
import { operatorWrite } from '../door/door.ts';
import {
  listExchangeRates,
  listRateHistory,
  type RatePlace,
} from '../engine/rows/exchange-rates.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { parseTime, positiveFactor, readBody } from '../platform/http/values.ts';
import { explainRate, setExchangeRate } from './rates.service.ts';

/** PKR per unit of a currency (decision 3). */
export function exchangeRateRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, LIST_EXCHANGE_RATES, async ({ query }) => {
    const page = pageOf(query, (text) => CURRENCIES.find((currency) => currency === text));
    const question = { at: deps.clock.now(), ...page.place };
    const rows = await listExchangeRates(deps.database.pool, question);
    return pageAnswer(page, rows, ({ currency }) => currency);
  });

  bind(face, LIST_RATE_HISTORY, async ({ query }) => {
    const page = pageOf(query, placeOf);
    const rows = await listRateHistory(deps.database.pool, query.currency ?? null, page.place);
    return pageAnswer(page, rows, keyOf);
  });
}

/** A new rate waits for a second operator. */
export const exchangeRateWrites = (deps: Deps) => ({
  SET_EXCHANGE_RATE: operatorWrite(deps, SET_EXCHANGE_RATE, {
    read: (asked) => readBody(asked, { rate: positiveFactor }),
    explain: explainRate,
    work: (client, given) => setExchangeRate(client, given, deps),
  }),
});

/** A rate's place in the history as one text, and read back; undefined for what is none. */
const keyOf = ({ currency, validFrom }: RatePlace) => `${isoTime(validFrom)} ${currency}`;
function placeOf(text: string): RatePlace | undefined {
  const [at = '', name = ''] = text.split(' ');
  const validFrom = parseTime(at);
  const currency = CURRENCIES.find((one) => one === name);
  return validFrom === undefined || currency === undefined ? undefined : { validFrom, currency };
}
