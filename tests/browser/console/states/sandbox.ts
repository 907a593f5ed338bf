import { createMember, createMerchant, everybodyOffline } from '../../../support/fixtures.ts';
import { operatorClient } from '../../../support/operator-client.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** C15: what is shown before an order is made, and what its customer and its member may do. */

type Body = Readonly<Record<string, unknown>>;
interface Part {
  readonly body: Body;
  readonly customer?: readonly Body[];
  /** Nobody is there to take it. */
  readonly alone?: boolean;
}

async function played(service: Service, { body, customer = [], alone = false }: Part) {
  const operator = operatorClient(service);
  // Below the limit above which another state has adjustments wait.
  const { merchantId } = await createMerchant(service, { name: 'Corner Shop', balance: '20000' });
  await everybodyOffline(service);
  if (!alone) await createMember(service, { name: 'Sana Iqbal' });
  const made = await operator.post('/sandbox/orders', {
    merchantId,
    orderType: 'Deposit',
    walletType: 'ProviderA',
    amount: 2500,
    ...body,
  });
  if (made.status !== 200) throw new Error(made.error ?? made.text);
  const { orderId } = made.data as { readonly orderId: string };
  for (const act of customer) await operator.post(`/sandbox/orders/${orderId}/customer`, act);
  return { orderId };
}

const state = (name: string, part: Part, shown: string | RegExp): ScreenState => ({
  name,
  path: ({ orderId }) => `/sandbox?order=${orderId}`,
  prepare: (service) => played(service, part),
  async reach(page) {
    await page.getByRole('heading', { name: 'As the member' }).waitFor();
    await page.getByText(shown).first().waitFor();
    await page.getByRole('list', { name: 'What happened' }).waitFor();
  },
});

export const SANDBOX_STATES: readonly ScreenState[] = [
  {
    name: 'sandbox',
    path: '/sandbox',
    prepare: async (service) => {
      await createMerchant(service, { name: 'Corner Shop' });
      return {};
    },
    async reach(page) {
      await page.getByText('No order is open').waitFor();
      await page.getByRole('button', { name: 'Make the deposit of PKR 2,500' }).waitFor();
    },
  },
  state('sandbox-no-member', { body: {}, alone: true }, 'No member has it.'),
  state(
    'sandbox-payer',
    { body: { walletType: 'ProviderBQR' }, customer: [{ action: 'open' }] },
    'Name the account',
  ),
  state(
    'sandbox-paid',
    {
      body: {},
      customer: [{ action: 'open' }, { action: 'confirm', transactionDigits: '4821' }],
    },
    /Confirm that PKR.2,500 came/,
  ),
  state('sandbox-withdrawal', { body: { orderType: 'Withdrawal' } }, 'Give the account'),
];
