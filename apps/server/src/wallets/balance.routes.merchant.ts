import { WALLET_CURRENCY } from '@munshi/core';
import type { BalanceReader } from '../engine/rows/wallets.ts';
import type { MerchantFace } from '../merchants/access.merchant.ts';
import { BALANCE } from '../merchants/schemas.merchant.ts';
import type { Deps } from '../people/deps.ts';
import { sendError, sendUnauthenticated } from '../platform/http/errors.ts';
import { sendData } from '../platform/http/json.ts';
import { jsonMoney } from '../platform/http/values.ts';

/** GET /api/merchant/orders/balance. Available, reserved and frozen come from one snapshot (I4). */
export function balanceRoute(
  { app, callerOf }: MerchantFace,
  { readers, clock }: Pick<Deps, 'clock'> & { readonly readers: BalanceReader },
): void {
  app.get('/orders/balance', { schema: BALANCE }, async (request, reply) => {
    const question = { apiKeyHash: callerOf(request), askedAt: clock.now() };
    const answer = await readers.balance(question);
    if (answer === 'key-not-active') return sendUnauthenticated(reply);
    if (answer === 'revoked-meanwhile')
      return sendError(reply, 404, 'API key not found or inactive.');
    const { balance, reserved, frozen } = answer;
    return sendData(reply, {
      availableBalance: jsonMoney(balance - reserved),
      reservedBalance: jsonMoney(reserved),
      frozenBalance: jsonMoney(frozen),
      currency: WALLET_CURRENCY,
    });
  });
}
