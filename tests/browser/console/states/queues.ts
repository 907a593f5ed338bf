import { canSend, hasFocus } from '../../../support/console.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../../support/operator-client.ts';
import { openPage } from '../../../support/page-client.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** Deposits whose customers have paid and whose member did not answer; their ids, oldest first. */
export async function unconfirmedDeposits(service: Service, amounts: readonly number[]) {
  await everybodyOffline(service);
  const merchant = await createMerchant(service, { name: 'Bazaar Online' });
  await createMember(service, { name: 'Sana Iqbal', maxOpenOrders: 100, float: '1000000' });
  const orderIds: string[] = [];
  for (const amount of amounts) {
    const order = await createOrder(merchant, { amount });
    await openPage(order).data('open');
    await openPage(order).data('confirm', { transactionDigits: '4821' });
    orderIds.push(order.orderId);
    await advance(service, 60);
  }
  await advance(service, 30 * 60);
  await everybodyOffline(service);
  return orderIds;
}

export const QUEUES_STATES: readonly ScreenState[] = [
  {
    name: 'queues-order-dialog',
    role: 'support',
    path: ({ orderId }) => `/queues?queue=paidNotConfirmed&open=${orderId}`,
    async prepare(service) {
      const [orderId = ''] = await unconfirmedDeposits(service, [6400, 6500]);
      return { orderId };
    },
    async reach(page) {
      await page.getByRole('heading', { name: /6,400 deposit/ }).waitFor();
      await page.keyboard.press('a');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Balances, PKR').waitFor();
      await hasFocus(dialog.getByLabel('Note'));
      await page.keyboard.press('Alt+2');
      await canSend(page);
    },
  },
  {
    name: 'queues-two-at-one-order',
    role: 'support',
    path: ({ orderId }) => `/queues?queue=paidNotConfirmed&open=${orderId}`,
    async prepare(service) {
      const [orderId = ''] = await unconfirmedDeposits(service, [6600]);
      const { token } = await createOperator(service, 'support', 'Maryam');
      await operatorClient(service, token).post(`/orders/${orderId}/claim`);
      return { orderId };
    },
    async reach(page) {
      await page.getByRole('heading', { name: /6,600 deposit/ }).waitFor();
      await page.keyboard.press('a');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Maryam is working on this order too.').waitFor();
      await dialog.getByText('Balances, PKR').waitFor();
    },
  },
  {
    name: 'queues-why-no-member',
    role: 'viewer',
    path: ({ orderId }) => `/queues?queue=waitingForMember&open=${orderId}`,
    async prepare(service) {
      await everybodyOffline(service);
      await createMember(service, { name: 'Sana Iqbal', methods: ['TillID'], online: false });
      await createMember(service, {
        name: 'Hina Malik',
        methods: ['TillID'],
        limits: { maximumPerOrder: '1000' },
      });
      const merchant = await createMerchant(service, { name: 'Bazaar Online' });
      const { orderId } = await createOrder(merchant, { walletType: 'TillID', amount: 1200 });
      return { orderId };
    },
    async reach(page) {
      await page.getByText('above the account’s maximum').waitFor();
      await page.getByRole('heading', { name: /PKR 1,200/ }).waitFor();
    },
  },
  {
    name: 'queues-empty',
    path: '/queues?queue=payoutsInDoubt',
    reach: (page) => page.getByText('Nothing is waiting here').waitFor(),
  },
  {
    name: 'queues',
    role: 'support',
    path: ({ orderId }) => `/queues?queue=paidNotConfirmed&open=${orderId}`,
    async prepare(service) {
      const orderIds = await unconfirmedDeposits(service, [2500, 18000, 1500.5, 700]);
      await operatorClient(service).post(`/orders/${orderIds[1]}/claim`);
      return { orderId: orderIds[0] as string };
    },
    async reach(page) {
      await page.getByRole('button', { name: /18,000/ }).waitFor();
      await page.keyboard.press('n');
      await page.getByText('You are working on this order.').waitFor();
    },
  },
];
