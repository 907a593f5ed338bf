import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signInMember,
} from '../../../support/fixtures.ts';
import { operatorClient } from '../../../support/operator-client.ts';
import { completeOrder } from '../../../support/outcomes.ts';
import { openPage } from '../../../support/page-client.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** A member with orders in hand, of whom one more account waits for approval. */
export async function busyMember(service: Service, name: string) {
  await everybodyOffline(service);
  const operator = operatorClient(service);
  const password = 'correct horse';
  const options = { name, methods: ['ProviderA', 'ProviderAQR'] as const, password };
  const member = await createMember(service, options);
  const merchant = await createMerchant(service, { name: 'Bazaar Online' });
  await completeOrder(service, await createOrder(merchant, { amount: 900 }), member);
  await createOrder(merchant, { amount: 1000 });
  const seen = await createOrder(merchant, { amount: 1100 });
  await openPage(seen).data('open');
  const { data: account } = await operator.post(`/members/${member.memberId}/accounts`, {
    walletType: 'TillID',
    accountNumber: `9${member.accounts[0]?.accountNumber.slice(3)}`,
    accountTitle: `${name} Traders`,
    qrPayload: '00020101021126340011pk.example0115',
    maximumPerDay: 50000,
  });
  await signInMember(service, member, password);
  await everybodyOffline(service);
  return { memberId: member.memberId, accountId: account.accountId as string };
}

const prepare = (name: string) => (service: Service) => busyMember(service, name);

export const MEMBERS_STATES: readonly ScreenState[] = [
  {
    name: 'members',
    path: '/members',
    prepare: prepare('Sana Iqbal'),
    reach: (page) => page.getByRole('link', { name: 'Sana Iqbal' }).first().waitFor(),
  },
  {
    name: 'member-now',
    path: ({ memberId }) => `/members/${memberId}`,
    prepare: prepare('Hina Malik'),
    reach: (page) => page.getByText('They are offline.').waitFor(),
  },
  {
    name: 'member-accounts',
    path: ({ memberId }) => `/members/${memberId}/accounts`,
    async prepare(service) {
      const made = await busyMember(service, 'Rahim Uddin');
      const other = await createMember(service, { name: 'Bilal Khan', online: false });
      await operatorClient(service).post(`/members/${made.memberId}/accounts`, {
        walletType: 'ProviderB',
        accountNumber: other.accounts[0]?.accountNumber,
        accountTitle: 'Rahim Uddin',
      });
      return made;
    },
    reach: (page) => page.getByText('Bilal Khan has an account with this number too.').waitFor(),
  },
  {
    name: 'member-float',
    path: ({ memberId }) => `/members/${memberId}/float`,
    prepare: prepare('Nadia Shah'),
    reach: (page) => page.getByText('test float').waitFor(),
  },
  {
    name: 'member-suspend',
    path: ({ memberId }) => `/members/${memberId}`,
    prepare: prepare('Usman Ali'),
    async reach(page) {
      await page.getByRole('button', { name: 'Suspend' }).click();
      await page.getByText('What becomes of the orders in hand').waitFor();
    },
  },
];
