import { type Currency, type Factor, formatFactor } from '@munshi/core';
import { type ExchangeRate, insertExchangeRate } from '../storage/merchants/exchange-rates.ts';
import type { ServiceDeps } from './deps.ts';
import { type OperatorCaller, recordedWrite } from './write.ts';

/** Sets PKR per unit of a currency, for orders accepted from now on (D44). */
export function setExchangeRate(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  caller: OperatorCaller,
  { currency, rate }: { readonly currency: Currency; readonly rate: Factor },
  show: (set: ExchangeRate) => unknown,
): Promise<ExchangeRate> {
  return recordedWrite(
    deps,
    caller,
    async (client, now) => {
      const result = { currency, rate, validFrom: now };
      await insertExchangeRate(client, result);
      const detail = { rate: formatFactor(rate) };
      return { result, action: 'exchange-rate.set', target: currency, detail };
    },
    show,
  );
}
