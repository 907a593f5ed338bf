import type { Page } from 'playwright-core';
import { withCodes, withPortalCodes } from '../../../support/authenticator.ts';
import { sendDialog } from '../../../support/console.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  setPresence,
} from '../../../support/fixtures.ts';
import {
  createOperator,
  operatorClient,
  secondOperator,
} from '../../../support/operator-client.ts';
import { createPortalUser, portalClient } from '../../../support/portal.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** C1's second step, C8, C13, C14, and one's own sign-in. */

async function twoRequests(service: Service): Promise<Record<string, string>> {
  const admin = operatorClient(service);
  await admin.patch('/settings', { adjustmentApprovalLimit: 25_000 });
  const { merchantId } = await createMerchant(service, { name: 'Bazaar Online' });
  await admin.post(`/merchants/${merchantId}/adjustments`, {
    kind: 'credit',
    amount: 180_000,
    reason: 'Bank transfer of 12 November, slip 4471',
  });
  await requireTwo(service, true);
  const keys = `/merchants/${merchantId}/api-keys`;
  const asked = await secondOperator(service).post(`${keys}/regenerate`);
  await requireTwo(service, false);
  return { approvalId: asked.data.approvalId };
}

/** Only while requests are made: other states make operators. */
const requireTwo = ({ database }: Service, on: boolean) =>
  database.pool.query('update settings set require_second_operator = $1', [on]);

/** Two credits that another operator asks for. */
async function twoCredits(service: Service): Promise<Record<string, string>> {
  const asker = operatorClient(service);
  await asker.patch('/settings', { adjustmentApprovalLimit: 25_000 });
  const { merchantId } = await createMerchant(service, { name: 'Chai Khana' });
  await requireTwo(service, true);
  const ids: string[] = [];
  for (const amount of [31_000, 1_250_000]) {
    const reason = 'Bank transfer of 13 November, second part';
    const credit = { kind: 'credit', amount, reason };
    ids.push((await asker.post(`/merchants/${merchantId}/adjustments`, credit)).data.approvalId);
  }
  await requireTwo(service, false);
  return { withdrawn: ids[1] ?? '' };
}

/** Opens both, chooses them, and asks to approve them together. */
async function approveTogether(page: Page): Promise<void> {
  for (const amount of ['31,000', '1,250,000']) {
    await page.locator('main tbody tr', { hasText: amount }).first().getByRole('button').click();
    await page.locator('tr[data-open=true] input:enabled').check();
  }
  await page.keyboard.press('a');
  await page.getByRole('dialog').getByText('Approve 2 requests').waitFor();
  await page.getByRole('dialog').getByRole('region').nth(1).waitFor();
}

/** A request for wider limits of an account, by another operator than the one who looks. */
async function widerLimits(service: Service): Promise<Record<string, string>> {
  const limits = { minimumPerOrder: '500', maximumPerOrder: '10000', maximumPerDay: '50000' };
  const { accounts } = await createMember(service, {
    name: 'Bushra Aslam',
    methods: ['ProviderA'],
    online: false,
    limits,
  });
  await requireTwo(service, true);
  const path = `/member-accounts/${accounts[0]?.accountId}`;
  const asked = await operatorClient(service).patch(path, {
    maximumPerOrder: 25_000,
    maximumPerDay: null,
  });
  await requireTwo(service, false);
  return { approvalId: asked.data.approvalId };
}

/** That a merchant issues its own keys, with an admin who is invited. */
async function ownKeys(service: Service): Promise<Record<string, string>> {
  const asker = operatorClient(service);
  const { merchantId } = await createMerchant(service, { name: 'Kitab Ghar' });
  const admin = { username: 'hina.malik', name: 'Hina Malik', role: 'admin' };
  await asker.post(`/merchants/${merchantId}/portal-users/invite`, admin);
  await requireTwo(service, true);
  const asked = await asker.post(`/merchants/${merchantId}/own-keys`, { allowed: true });
  await requireTwo(service, false);
  return { approvalId: asked.data.approvalId };
}

/** A payout above the limit in review, which another operator asks to cancel. */
async function cancelAsked(service: Service): Promise<Record<string, string>> {
  const asker = operatorClient(service);
  // In two parts: each is below the limit that other states set.
  const merchant = await createMerchant(service, { balance: '20000' });
  await asker.post(`/merchants/${merchant.merchantId}/adjustments`, {
    ...{ kind: 'credit', amount: 20_000, reason: 'Bank transfer' },
  });
  const { memberId } = await createMember(service, { methods: ['TillID'] });
  const { orderId } = await createOrder(merchant, {
    ...{ orderType: 'Withdrawal', walletType: 'TillID', amount: 30_000 },
    ...{ customerAccountNumber: '03001234567', customerAccountName: 'Ayesha Khan' },
  });
  await setPresence(service, memberId, false);
  await asker.post(`/orders/${orderId}/escalate`, { note: 'The member cannot be reached.' });
  await requireTwo(service, true);
  await asker.post(`/orders/${orderId}/resolve`, {
    ...{ outcome: 'Cancelled', note: 'The merchant asked to cancel.' },
  });
  await requireTwo(service, false);
  return { orderId };
}

const BROKEN = {
  state: 'broken',
  entries: 12_340,
  head: 'c0ffee11'.repeat(8),
  waiting: 0,
  broken: {
    auditId: '01a20681-e0c9-7371-8fa2-960d53aa9518',
    position: 11_802,
    problem: 'changed',
    soundUntil: '2026-11-22T08:14:00.000Z',
  },
  checkedAt: '2026-11-23T02:00:00.000Z',
};

const named = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click();

const CHANNEL = {
  position: 'second',
  url: 'https://ntfy.example/',
  headers: { Authorization: 'Bearer hidden' },
  bodyTemplate: '{"topic": "desk-{username}", "message": "{kind}: {amount} {currency}"}',
} as const;

/** A merchant with an admin who can fetch a key, while two operators have to agree to it. */
async function keyToAskFor(service: Service): Promise<Record<string, string>> {
  const merchant = await createMerchant(service, { name: 'Kitab Ghar' });
  const { token } = await createPortalUser(service, merchant, 'admin');
  await withPortalCodes(service, portalClient(service, token));
  await requireTwo(service, true);
  return { merchantId: merchant.merchantId };
}

export const SAFETY_STATES: readonly ScreenState[] = [
  {
    name: 'merchant-keys_asked',
    path: ({ merchantId }) => `/merchants/${merchantId}/keys`,
    prepare: keyToAskFor,
    async reach(page) {
      await named(page, 'New key');
      await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
      await page
        .getByText('Then an admin of the merchant with one-time codes fetches it')
        .waitFor();
    },
    leave: (service) => requireTwo(service, false),
  },
  {
    name: 'approvals-empty',
    path: '/approvals',
    // Only in the browser's answers: states before this one have asked for approvals.
    async reach(page) {
      await page.route(/\/api\/operator\/approvals(\?|$)/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), data: [] } });
      });
      await page.reload();
      await page.getByText('Nothing is waiting for a second operator.').waitFor();
    },
  },
  {
    name: 'approvals',
    role: 'approver',
    path: ({ approvalId }) => `/approvals?open=${approvalId}`,
    prepare: twoRequests,
    reach: (page) => page.getByRole('button', { name: 'Approve' }).waitFor(),
  },
  {
    name: 'approvals-not-by-you',
    path: ({ approvalId }) => `/approvals?open=${approvalId}`,
    prepare: widerLimits,
    reach: (page) => page.getByText('An approver decides this.').waitFor(),
  },
  {
    name: 'approvals-account',
    path: ({ approvalId }) => `/approvals?open=${approvalId}`,
    prepare: widerLimits,
    reach: (page) => page.getByText('Most per order').waitFor(),
  },
  {
    name: 'approvals-own-keys',
    path: ({ approvalId }) => `/approvals?open=${approvalId}`,
    prepare: ownKeys,
    reach: (page) => page.getByText('Its admins, who could').waitFor(),
  },
  {
    name: 'order-cancel-asked',
    path: ({ orderId }) => `/orders/${orderId}`,
    prepare: cancelAsked,
    reach: (page) => page.getByText('asks: cancel it').waitFor(),
  },
  {
    name: 'approvals-together',
    role: 'approver',
    path: '/approvals',
    prepare: twoCredits,
    reach: approveTogether,
  },
  {
    name: 'approvals-together-results',
    role: 'approver',
    path: '/approvals',
    prepare: twoCredits,
    async reach(page, { withdrawn }) {
      await approveTogether(page);
      // Only in the browser's answers: meanwhile the asker has withdrawn it.
      await page.route(`**/approvals/${withdrawn}/approve`, (route) =>
        route.fulfill({
          status: 409,
          json: { error: 'This request is withdrawn.', code: 'wrong-state' },
        }),
      );
      await sendDialog(page);
      await page.getByText('1 of 2 approved').waitFor();
    },
  },
  {
    name: 'approvals-approve',
    role: 'approver',
    path: '/approvals',
    async reach(page) {
      await named(page, 'Wallet adjustment: credit');
      await named(page, 'Approve');
      await page.getByRole('dialog').getByText('Note (optional)').waitFor();
    },
  },
  {
    name: 'settings-second-operator',
    path: '/settings',
    async prepare(service) {
      await requireTwo(service, true);
      return {};
    },
    async reach(page) {
      const card = page.getByRole('heading', { name: 'What needs a second operator' });
      await card.scrollIntoViewIfNeeded();
      await page.getByText('Set an exchange rate: always.').waitFor();
    },
    leave: (service) => requireTwo(service, false),
  },
  {
    name: 'audit',
    path: '/audit',
    async reach(page) {
      await page.getByText('linked by a chain of hashes').waitFor();
      await named(page, 'Changed settings');
      await page.getByText('What was recorded').waitFor();
    },
  },
  {
    name: 'audit-none-found',
    path: '/audit?actor=nobody',
    reach: (page) => page.getByText('No entry matches these filters.').waitFor(),
  },
  {
    name: 'audit-broken',
    path: '/audit',
    // Only in the browser's answers: the service is shared, and its log is sound.
    async reach(page) {
      await page.route('**/audit-log/chain', (route) => route.fulfill({ json: { data: BROKEN } }));
      await page.reload();
      await page.getByText('First broken entry').waitFor();
      await page.getByText('See what was found').waitFor();
    },
  },
  {
    name: 'operators',
    path: '/operators',
    async prepare(service) {
      await createOperator(service, 'support', 'Sana Iqbal');
      return {};
    },
    async reach(page) {
      await named(page, 'Sana Iqbal');
      await page.getByRole('region', { name: 'Script tokens' }).waitFor();
    },
  },
  {
    name: 'operators-own-token',
    path: '/operators',
    async reach(page) {
      await page
        .getByRole('button', { name: /^The admin/ })
        .first()
        .click();
      await named(page, 'New script token');
      await page.getByRole('dialog').getByLabel('Your password').waitFor();
    },
  },
  {
    name: 'operators-change-role',
    path: '/operators',
    async reach(page) {
      await named(page, 'Sana Iqbal');
      await named(page, 'Change role');
      await page.getByRole('dialog').getByText('They are signed out').waitFor();
    },
  },
  {
    name: 'operators-invite',
    path: '/operators',
    async reach(page) {
      await named(page, 'Invite an operator');
      await page.getByRole('dialog').getByLabel('Username').waitFor();
    },
  },
  {
    name: 'settings',
    path: '/settings',
    reach: (page) => page.getByText('Confirmation window').waitFor(),
  },
  {
    name: 'settings-change',
    path: '/settings',
    async reach(page) {
      await named(page, 'Change: Confirmation window');
      await page.getByRole('dialog').getByLabel('Minutes').fill('45');
      await page.getByRole('dialog').getByText('45 min').waitFor();
    },
  },
  {
    name: 'settings-alert-channels',
    path: '/settings',
    async prepare(service) {
      await operatorClient(service).post('/alert-channels', CHANNEL);
      return {};
    },
    async reach(page) {
      await page.getByText('https://ntfy.example').first().waitFor();
      await page.getByRole('heading', { name: 'Third channel' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'settings-alert-channel-change',
    path: '/settings',
    async prepare(service) {
      await operatorClient(service).post('/alert-channels', CHANNEL);
      return {};
    },
    async reach(page) {
      await named(page, 'Change: second channel');
      await page.getByRole('dialog').getByLabel('Seconds after the alert').fill('30');
    },
  },
  {
    name: 'notices',
    path: '/settings',
    async prepare(service) {
      const { token } = await createOperator(service, 'admin', 'Asma Naz');
      const asma = operatorClient(service, token);
      await asma.patch('/settings', { evidenceDays: 30 });
      await asma.post('/alert-channels', CHANNEL);
      return {};
    },
    reach: (page) => page.getByText('Asma Naz set the second alert channel').waitFor(),
    leave: (service) => operatorClient(service).patch('/settings', { evidenceDays: 180 }),
  },
  {
    name: 'settings-viewer',
    role: 'viewer',
    path: '/settings',
    reach: (page) => page.getByText('Confirmation window').first().waitFor(),
  },
  {
    name: 'security',
    path: '/security',
    reach: (page) => page.getByText('This window').waitFor(),
  },
  {
    name: 'one-time-code-set-up',
    role: 'support',
    path: '/security',
    async reach(page) {
      await named(page, 'Set up one-time codes');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Password', { exact: true }).fill('a long enough password');
      await page.keyboard.press('Enter');
      await dialog.getByAltText('QR code for the authenticator app').waitFor();
    },
  },
  {
    name: 'sign-in-code',
    role: null,
    path: '/',
    async prepare(service) {
      const { username, password } = (await withCodes(service, 'viewer')).operator;
      return { username, password };
    },
    async reach(page, { username = '', password = '' }) {
      await page.getByLabel('Username').fill(username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await page.getByLabel('One-time code').waitFor();
    },
  },
  {
    name: 'recover',
    role: null,
    path: ({ token }) => `/recover#${token}`,
    async prepare(service) {
      const { operatorId } = await createOperator(service, 'viewer');
      const { data } = await operatorClient(service).post(`/operators/${operatorId}/recovery-link`);
      return { token: new URL(data.link).hash.slice(1) };
    },
    reach: (page) => page.getByLabel('New password once more').waitFor(),
  },
  {
    name: 'recover-used',
    role: null,
    path: `/recover#${'x'.repeat(43)}`,
    reach: (page) => page.getByText('Ask an admin for another one.').waitFor(),
  },
];
