import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../../support/fixtures.ts';
import { operatorClient } from '../../../support/operator-client.ts';
import { completeOrder } from '../../../support/outcomes.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** Three merchants and two members, one of each with orders of this month; made once. */
export function prepareReports(service: Service): Promise<Record<string, string>> {
  const made = prepared.get(service) ?? prepareOnce(service);
  prepared.set(service, made);
  return made;
}
const prepared = new WeakMap<Service, Promise<Record<string, string>>>();

async function prepareOnce(service: Service): Promise<Record<string, string>> {
  const operator = operatorClient(service);
  const merchant = await createMerchant(service, { name: 'Ledger Shop', balance: '498700.5' });
  await createMerchant(service, { name: 'Quiet Shop' });
  await createMerchant(service, { name: 'New Shop', balance: '1250000' });
  const { merchantId } = merchant;
  const rule = { merchantId, orderType: 'Deposit', walletType: 'ProviderA', percent: 1.5 };
  await operator.post('/fee-rules', rule);
  await everybodyOffline(service);
  const member = await createMember(service, {
    ...{ name: 'Sana Malik', methods: ['ProviderA'], float: '900000', maxOpenOrders: 100 },
  });
  await createMember(service, { name: 'Bilal Shah', methods: ['TillID'], float: '150000' });
  for (const amount of [12_500, 8_000.5, 99_000])
    await completeOrder(service, await createOrder(merchant, { amount }), member);
  await operator.post(`/merchants/${merchantId}/adjustments`, {
    ...{ kind: 'freeze', amount: 2500, reason: 'Disputed by the bank, case 4821' },
  });
  return { merchantId, memberId: member.memberId };
}

const report = (
  name: string,
  path: string,
  text: string,
  more: Partial<ScreenState> = {},
): ScreenState => ({
  name,
  prepare: prepareReports,
  path,
  reach: (page) => page.getByText(text).first().waitFor(),
  ...more,
});

export const REPORTS_STATES: readonly ScreenState[] = [
  report('reports', '/reports', 'Ledger Shop'),
  report('reports-viewer', '/reports', 'Ledger Shop', { role: 'viewer' }),
  report('reports-before', '/reports?month=2020-01', 'Ledger Shop'),
  report('reports-members', '/reports/members', 'Sana Malik'),
  report('reports-orders', '/reports/orders', 'Time to confirm'),
  report('reports-orders-none', '/reports/orders?to=2020-01-31', 'No order was created'),
  report('reports-trial-balance', '/reports/trial-balance', 'The books balance'),
  {
    ...report('reports-off', '/reports/trial-balance', 'The books do not balance'),
    // Nothing of the service can make it so: what a merchant holds is changed behind its back.
    async prepare(service) {
      const made = await prepareReports(service);
      await shift(service, made['merchantId'] as string, 1);
      return made;
    },
    leave: async (service) =>
      shift(service, (await prepareReports(service))['merchantId'] as string, -1),
  },
  report('merchant-statements', '', 'Still running', {
    path: ({ merchantId }) => `/merchants/${merchantId}/statements`,
  }),
  report('merchant-statement-none', '', 'No statement of this month', {
    path: ({ merchantId }) => `/merchants/${merchantId}/statements/2020-01`,
  }),
  report('merchant-statement', '', 'Statement of account', {
    path: ({ merchantId }) =>
      `/merchants/${merchantId}/statements/${new Date().toISOString().slice(0, 7)}`,
  }),
];

const shift = ({ database }: Service, merchantId: string, by: number) =>
  database.pool.query('update merchant_wallets set balance = balance + $2 where merchant_id = $1', [
    merchantId,
    by,
  ]);
