import { MERCHANT_COUNTED_MAX, READ_MERCHANT_OVERVIEW } from '@munshi/api';
import { showEndpoint } from '../deliveries/receivers.routes.ts';
import { listEndpoints } from '../deliveries/receivers.store.ts';
import { readMerchantStanding } from '../merchants/standing.store.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { showBalance } from '../wallets/wallet.routes.ts';
import { createPortalHome } from './service.ts';
import { showDay } from './view.ts';

const RECEIVERS_MAX = 20;

/** GET /merchants/:merchantId/overview: the figures of the merchant's own home, and more. */
export function merchantOverviewRoute(face: OperatorFace, deps: Deps): void {
  const { pool } = deps.database;
  const readHome = createPortalHome(deps);
  bind(face, READ_MERCHANT_OVERVIEW, async ({ params: { merchantId } }) => {
    const { asOf, wallet, timeZone, days, activeKeys } = await readHome(merchantId);
    const [today, yesterday] = days;
    const standing = await readMerchantStanding(pool, merchantId, MERCHANT_COUNTED_MAX);
    const endpoints = await listEndpoints(pool, { merchantId, after: null, limit: RECEIVERS_MAX });
    return {
      data: {
        merchantId,
        asOf,
        balance: showBalance(wallet),
        openWithdrawals: standing.openWithdrawals,
        today: showDay(today),
        yesterday: showDay(yesterday),
        timeZone,
        receivers: endpoints.map(showEndpoint),
        keys: activeKeys,
      },
    };
  });
}
