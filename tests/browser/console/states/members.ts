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

/** A merchant's code of Till ID 990044 that names RAHIM TRADERS. */
const QR_OF_ANOTHER =
  '00020101021126240010pk.example01069900445204599953035865802PK5913RAHIM TRADERS6006Lahore63048DF2';

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
    qrPayload: QR_OF_ANOTHER,
    maximumPerDay: 50000,
  });
  await signInMember(service, member, password);
  await everybodyOffline(service);
  return { memberId: member.memberId, accountId: account.accountId as string };
}

/** A member as they are right after they were added. */
async function memberAlone(service: Service) {
  const { data } = await operatorClient(service).post('/members', {
    name: 'Junaid Raza',
    username: 'junaid.raza',
    password: 'correct horse',
  });
  return { memberId: data.memberId as string };
}

const prepare = (name: string) => (service: Service) => busyMember(service, name);

/** A phone, and alerts of every kind. */
async function alerted({ app, database: { pool } }: Service, memberId: string) {
  const now = app.deps.clock.now();
  const at = (secondsAgo: number) => new Date(now - secondsAgo * 1000);
  await pool.query(
    `insert into push_subscriptions (subscription_id, member_id, session_id, endpoint, p256dh, auth,
       created_at, last_sent_at, test_id, test_sent_at, test_seen_at)
     select gen_random_uuid(), $1::uuid, session_id, 'https://push.example/' || session_id, '', '', $2, $3,
       gen_random_uuid(), $2, $2::timestamptz + interval '1.4 seconds'
     from sessions
     where principal_id = $1
     limit 1`,
    [memberId, at(7_200), at(90)],
  );
  await pool.query(
    `insert into order_alerts (order_id, member_id, kind, alerted_at, seen_at, pushed_at, second_at,
       third_at, missed_at)
     select order_id, $1::uuid, case n when 2 then 'assigned' else 'customer-confirmed' end, $2,
       case n when 1 then $2::timestamptz + interval '1.4 seconds' end, $2,
       case n when 1 then null else $3::timestamptz end,
       case n when 3 then $3::timestamptz end, case n when 3 then $3::timestamptz end
     from (
       select order_id, row_number() over () as n from orders where member_id = $1 limit 3
     ) o`,
    [memberId, at(600), at(540)],
  );
}

export const MEMBERS_STATES: readonly ScreenState[] = [
  {
    name: 'members',
    path: '/members',
    prepare: prepare('Sana Iqbal'),
    reach: (page) => page.getByRole('link', { name: 'Sana Iqbal' }).first().waitFor(),
  },
  {
    name: 'members-add',
    path: '/members',
    async reach(page) {
      await page.getByRole('button', { name: 'Add a member' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Rabia Anwar');
      await page.getByRole('dialog').getByLabel('Username').fill('rabia.anwar');
    },
  },
  {
    name: 'members-added',
    path: '/members',
    async reach(page) {
      await page.getByRole('button', { name: 'Add a member' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Zara Khalid');
      await page.getByRole('dialog').getByLabel('Username').fill('zara.khalid');
      await page.getByRole('dialog').getByRole('button', { name: 'Add a member' }).click();
      await page.getByText('Send this link to Zara Khalid').waitFor();
    },
  },
  {
    name: 'member-without-account',
    path: ({ memberId }) => `/members/${memberId}/accounts`,
    prepare: memberAlone,
    reach: (page) => page.getByText('They have no account yet.').waitFor(),
  },
  {
    name: 'member-add-account',
    path: ({ memberId }) => `/members/${memberId}/accounts`,
    prepare: prepare('Mehwish Ali'),
    async reach(page) {
      await page.getByRole('button', { name: 'Add an account' }).click();
      await page.getByRole('dialog').getByLabel('Number').fill('0300 1234567');
      await page.getByRole('dialog').getByLabel('Title').fill('Mehwish Ali');
      await page.getByLabel('Content of the QR code').fill(QR_OF_ANOTHER);
      await page.getByLabel('Most per day, PKR').fill('5o000');
      await page.getByText('An amount such as 25000').waitFor();
    },
  },
  {
    name: 'member-change',
    path: ({ memberId }) => `/members/${memberId}`,
    prepare: prepare('Tahira Bano'),
    async reach(page) {
      await page.getByRole('button', { name: 'Change' }).click();
      await page.getByLabel('Orders in hand at most').fill('25');
      await page.getByText('What changes').waitFor();
    },
  },
  {
    name: 'member-recovery-link',
    path: ({ memberId }) => `/members/${memberId}`,
    prepare: prepare('Waqar Ahmed'),
    async reach(page) {
      await page.getByRole('button', { name: 'Recovery link' }).click();
      await page.getByText('earlier links stop working').waitFor();
    },
  },
  {
    name: 'member-overview',
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
    name: 'member-approve-account',
    path: ({ memberId }) => `/members/${memberId}/accounts`,
    prepare: prepare('Farah Naz'),
    async reach(page) {
      await page.getByRole('button', { name: /^Approve: / }).click();
      await page.getByRole('dialog').getByText('The code has another name.').waitFor();
    },
  },
  {
    name: 'member-change-account',
    path: ({ memberId }) => `/members/${memberId}/accounts`,
    prepare: prepare('Imran Aziz'),
    async reach(page) {
      await page.getByRole('button', { name: /^Change: 9/ }).click();
      await page.getByLabel('Most per order, PKR').fill('25,000');
      await page.getByLabel('Most per day, PKR').fill('');
      await page.getByRole('dialog').getByText('25,000').waitFor();
    },
  },
  {
    name: 'member-sessions',
    path: ({ memberId }) => `/members/${memberId}/sessions`,
    prepare: prepare('Asma Tariq'),
    reach: (page) => page.getByRole('button', { name: 'End all sign-ins' }).waitFor(),
  },
  {
    name: 'member-orders',
    path: ({ memberId }) => `/members/${memberId}/orders`,
    prepare: prepare('Sana Javed'),
    reach: (page) => page.getByRole('table').waitFor(),
  },
  {
    name: 'member-audit',
    path: ({ memberId }) => `/members/${memberId}/audit`,
    prepare: prepare('Kamran Butt'),
    reach: (page) => page.getByRole('table').waitFor(),
  },
  {
    name: 'member-float',
    path: ({ memberId }) => `/members/${memberId}/float`,
    prepare: prepare('Nadia Shah'),
    reach: (page) => page.getByText('test float').waitFor(),
  },
  {
    name: 'member-float-adjust',
    path: ({ memberId }) => `/members/${memberId}/float`,
    prepare: prepare('Javeria Khan'),
    async reach(page) {
      await page.getByRole('button', { name: 'Adjust the float' }).click();
      await page.getByRole('dialog').getByLabel('Amount').fill('2500');
      await page.getByRole('dialog').getByText('Ledger, PKR').waitFor();
    },
  },
  {
    name: 'member-float-refused',
    path: ({ memberId }) => `/members/${memberId}/float`,
    prepare: prepare('Naveed Akram'),
    async reach(page) {
      await page.getByRole('button', { name: 'Adjust the float' }).click();
      await page.getByRole('dialog').getByLabel('Amount').fill('-9500000000');
      await page.getByText('can be taken from this float').waitFor();
    },
  },
  {
    name: 'member-alerts',
    path: ({ memberId }) => `/members/${memberId}/alerts`,
    async prepare(service) {
      const made = await busyMember(service, 'Sadia Noor');
      await alerted(service, made.memberId);
      return made;
    },
    reach: (page) => page.getByText('after 1.4 s').first().waitFor(),
  },
  {
    name: 'member-suspend',
    path: ({ memberId }) => `/members/${memberId}`,
    prepare: prepare('Usman Ali'),
    async reach(page) {
      await page.getByRole('button', { name: 'Suspend' }).click();
      await page.getByText('Orders in hand').waitFor();
    },
  },
];
