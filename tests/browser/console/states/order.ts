import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { sendDialog } from '../../../support/console.ts';
import { consoleOrders } from '../../../support/console-orders.ts';
import { handInEvidence } from '../../../support/evidence.ts';
import { createOrder, everybodyOffline } from '../../../support/fixtures.ts';
import { operatorClient } from '../../../support/operator-client.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

const path = ({ orderId }: Record<string, string>) => `/orders/${orderId}`;
const happened = (page: Page) => page.getByRole('list', { name: 'What happened' }).waitFor();
const orderOf = (made: { readonly orderId: string }) => ({ orderId: made.orderId });

async function openAction(page: Page, name: string) {
  await happened(page);
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').getByText('Balances, PKR').waitFor();
}

/** A paid deposit in review, with another order that has its digits. */
async function inReview(service: Service) {
  const { inReview, paid, operator } = await consoleOrders(service);
  await operator.post('/fee-rules', {
    orderType: 'Deposit',
    walletType: 'ProviderA',
    percent: 1.5,
  });
  await paid('4821', { memberName: 'Hina Raza' });
  return orderOf(await inReview('4821', { customerReference: 'customer 7' }));
}

/** The customer says paid and claims it again, the member says no: with a picture used before. */
async function disputed(service: Service) {
  const { paid } = await consoleOrders(service);
  const before = await paid('5511', { memberName: 'Hina Raza' });
  await handInEvidence(service, before.member, {
    orderId: before.orderId,
    kind: 'confirm',
    seed: 9,
  });
  const { orderId, member } = await paid('7730');
  await handInEvidence(service, member, { orderId, kind: 'reject', seed: 9 });
  const { engine } = service.app.deps;
  const decision = await engine.submit({
    ...{ kind: 'member-reject', commandId: randomUUID(), orderId, memberId: member.memberId },
    reason: 'Looked in the wallet at 10:40 and 10:52: nothing of this amount.',
    reasonCode: 'notReceived',
  });
  if (!decision.ok) throw new Error(decision.refusal.message);
  return { orderId };
}

/** What matters takes two people: also to make operators, so never between two states. */
const requireTwo = (service: Service, on: boolean) =>
  service.database.pool.query('update settings set require_second_operator = $1', [on]);

export const ORDER_STATES: readonly ScreenState[] = [
  {
    name: 'order-in-review',
    role: 'support',
    path,
    prepare: inReview,
    async reach(page) {
      await happened(page);
      await page.getByText('If completed, PKR').waitFor();
    },
  },
  {
    name: 'order-in-review-for-a-viewer',
    role: 'viewer',
    path,
    prepare: inReview,
    reach: happened,
  },
  {
    name: 'order-complete-dialog',
    role: 'support',
    path,
    prepare: inReview,
    async reach(page) {
      await openAction(page, 'Complete PKR 2,500…');
      await page.getByRole('dialog').getByText('Body as it will be sent').click();
    },
  },
  {
    name: 'order-confirm-dialog',
    role: 'support',
    path,
    async prepare(service) {
      const { inReview, operator } = await consoleOrders(service);
      const { orderId } = await inReview('4823');
      const body = { outcome: 'Cancelled', note: 'The statement does not show it.' };
      await operator.post(`/orders/${orderId}/resolve`, body);
      return { orderId };
    },
    async reach(page) {
      await happened(page);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Confirm PKR 2,500…' }).click();
      await page.getByRole('dialog').getByText('Balances, PKR').waitFor();
      await page.getByRole('dialog').getByLabel('Who received or paid the money').waitFor();
    },
  },
  {
    name: 'order-cancel-dialog-without-note',
    role: 'support',
    path,
    prepare: inReview,
    async reach(page) {
      await openAction(page, 'Cancel PKR 2,500…');
      await sendDialog(page);
      await page.getByText('Enter the reason in a few words.').waitFor();
    },
  },
  {
    name: 'order-needs-two',
    role: 'support',
    path,
    async prepare(service) {
      const prepared = await inReview(service);
      await requireTwo(service, true);
      return prepared;
    },
    async reach(page) {
      await openAction(page, 'Complete PKR 2,500…');
      await page.getByRole('button', { name: 'Ask for approval of PKR 2,500' }).waitFor();
    },
    leave: (service) => requireTwo(service, false),
  },
  {
    name: 'order-waits-for-approval',
    role: 'approver',
    path,
    async prepare(service) {
      const prepared = await inReview(service);
      await requireTwo(service, true);
      await operatorClient(service).post(`/orders/${prepared.orderId}/resolve`, {
        outcome: 'Completed',
        note: 'Seen in the statement of 10:40.',
      });
      await requireTwo(service, false);
      return prepared;
    },
    async reach(page) {
      await happened(page);
      await page.getByRole('button', { name: 'Approve PKR 2,500…' }).waitFor();
    },
  },
  {
    name: 'order-with-late-claim',
    role: 'support',
    path,
    async prepare(service) {
      const { claimed } = await consoleOrders(service);
      return orderOf(await claimed('99004821'));
    },
    async reach(page) {
      await happened(page);
      await page.getByRole('button', { name: 'Confirm PKR 2,500…' }).waitFor();
    },
  },
  {
    name: 'order-confirm-dialog-of-nobody',
    role: 'support',
    path,
    async prepare(service) {
      const { merchant, operator } = await consoleOrders(service);
      await everybodyOffline(service);
      const { orderId } = await createOrder(merchant, { amount: 2500 });
      await operator.post(`/orders/${orderId}/cancel`, { note: 'The customer asked.' });
      return { orderId };
    },
    async reach(page) {
      await happened(page);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Confirm PKR 2,500…' }).click();
      await page
        .getByRole('dialog')
        .getByText('the adjustments account stands in')
        .first()
        .waitFor();
      await page.getByRole('dialog').getByText('Balances, PKR').waitFor();
    },
  },
  {
    name: 'order-withdrawal-with-customer-shown',
    role: 'support',
    path,
    async prepare(service) {
      const { payout } = await consoleOrders(service);
      return orderOf(await payout());
    },
    async reach(page) {
      await happened(page);
      await page.getByRole('button', { name: 'Show' }).click();
      await page.getByText('03001234567').waitFor();
    },
  },
  {
    name: 'order-cancel-dialog-of-payout',
    role: 'support',
    path,
    async prepare(service) {
      const { payout } = await consoleOrders(service);
      return orderOf(await payout());
    },
    async reach(page) {
      await happened(page);
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: /^Cancel PKR/ }).click();
      await page.getByRole('dialog').getByText('if in doubt, take it into review').waitFor();
      await page.getByRole('dialog').getByText('Balances, PKR').waitFor();
    },
  },
  {
    name: 'order-completed',
    role: 'viewer',
    path,
    async prepare(service) {
      const { inReview, operator } = await consoleOrders(service);
      const { orderId } = await inReview('4822');
      const body = { outcome: 'Completed', note: 'Seen in the statement.' };
      await operator.post(`/orders/${orderId}/resolve`, body);
      return { orderId };
    },
    async reach(page) {
      await happened(page);
      await page.getByText('Money moved').waitFor();
    },
  },
  {
    name: 'order-evidence',
    role: 'support',
    path,
    prepare: disputed,
    async reach(page) {
      await happened(page);
      const evidence = page.getByRole('region', { name: 'Evidence' });
      await evidence.getByText('No payment has come').waitFor();
      await evidence.scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'order-evidence-opened',
    role: 'support',
    path,
    prepare: disputed,
    async reach(page) {
      await happened(page);
      await page
        .getByRole('button', { name: 'Open: Sana Iqbal: picture with the rejection' })
        .click();
      await page.getByRole('dialog').locator('img').waitFor();
      await page.getByText('That you opened it is recorded in the audit log.').waitFor();
    },
  },
  {
    name: 'order-evidence-for-a-viewer',
    role: 'viewer',
    path,
    prepare: disputed,
    async reach(page) {
      await happened(page);
      await page.getByText('Pictures are opened by support and admins.').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'order-unknown',
    path: '/orders/00000000-0000-7000-8000-000000000000',
    reach: (page) => page.getByRole('alert').waitFor(),
  },
];
