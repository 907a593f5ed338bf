import { createMerchant } from '../../../support/fixtures.ts';
import { deliveryWhen, failedOrder } from '../../../support/outcomes.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** A delivery that nobody takes, of a merchant of its own. */
export async function failingDelivery(service: Service): Promise<Record<string, string>> {
  const merchant = await createMerchant(service, {
    name: 'Deaf Shop',
    defaultCallbackUrl: 'https://deaf.invalid/hook',
  });
  const order = await failedOrder(service, merchant, {});
  const { deliveryId } = await deliveryWhen(service, order, { attempts: 1 });
  const { orderId, orderReference } = order;
  return { merchantId: merchant.merchantId, deliveryId, orderId, orderReference };
}

export const WEBHOOKS_STATES: readonly ScreenState[] = [
  {
    name: 'webhooks',
    prepare: failingDelivery,
    path: ({ merchantId }) => `/webhooks?merchantId=${merchantId}`,
    reach: (page, { orderReference = '' }) =>
      page.getByRole('link', { name: orderReference }).waitFor(),
  },
  {
    name: 'webhooks-none-found',
    path: '/webhooks?status=superseded',
    reach: (page) => page.getByText('No delivery matches these filters.').waitFor(),
  },
  {
    name: 'webhooks-search-none-found',
    path: '/webhooks?search=nothing-like-it',
    reach: (page) => page.getByText('Searched whole references').waitFor(),
  },
  {
    name: 'webhooks-replay',
    prepare: failingDelivery,
    path: ({ merchantId }) => `/webhooks?merchantId=${merchantId}`,
    async reach(page) {
      await page.getByRole('button', { name: 'Replay…' }).click();
      await page.getByLabel('Since').fill('2026-01-01T00:00');
      await page.getByText('1 webhook is sent again.').waitFor();
    },
  },
  {
    name: 'delivery',
    prepare: failingDelivery,
    path: ({ deliveryId }) => `/deliveries/${deliveryId}`,
    async reach(page) {
      await page.getByLabel('Computed by the receiver').fill('sha256=00');
      await page.getByText('Not the same').waitFor();
    },
  },
];
