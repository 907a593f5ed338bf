import { vi } from 'vitest';
import { createMerchant } from '../../../support/fixtures.ts';
import { operatorClient } from '../../../support/operator-client.ts';
import { failedOrder } from '../../../support/outcomes.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** A delivery that nobody takes, of a merchant of its own. */
export async function failingDelivery(service: Service): Promise<Record<string, string>> {
  const merchant = await createMerchant(service, {
    name: 'Deaf Shop',
    defaultCallbackUrl: 'https://deaf.invalid/hook',
  });
  const { orderId, orderReference } = await failedOrder(service, merchant, {});
  const operator = operatorClient(service);
  const deliveryId = await vi.waitFor(async () => {
    const [delivery] = (await operator.get(`/deliveries?orderId=${orderId}`)).data;
    if (delivery.attemptsMade !== 1) throw new Error('no attempt has been made yet');
    return delivery.deliveryId as string;
  });
  return { merchantId: merchant.merchantId, deliveryId, orderReference };
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
    reach: (page) => page.getByText('No delivery fits these filters.').waitFor(),
  },
  {
    name: 'webhooks-replay',
    prepare: failingDelivery,
    path: ({ merchantId }) => `/webhooks?merchantId=${merchantId}`,
    async reach(page) {
      await page.getByRole('button', { name: 'Replay…' }).click();
      await page.getByLabel('Since').fill('2026-01-01T00:00');
      await page.getByText('1 order is told again.').waitFor();
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
