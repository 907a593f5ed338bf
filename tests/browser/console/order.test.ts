import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  canSend,
  fillNote,
  hasFocus,
  openConsole,
  sendDialog,
  tabTo,
  typeInto,
} from '../../support/console.ts';
import { consoleOrders } from '../../support/console-orders.ts';
import { handInEvidence } from '../../support/evidence.ts';
import { createMember, createOrder, everybodyOffline } from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

/** C5 and C6: an order, and what is done about it. */

const { test, service } = await serviceTest();
const console = await openConsole(service);
const orders = await consoleOrders(service);
const statusOf = async (orderId: string) =>
  (await orders.operator.get(`/orders/${orderId}`)).data.status;
const ready = (page: Page) => page.getByRole('list', { name: 'What happened' }).waitFor();
const effectShown = (page: Page) => page.getByRole('dialog').getByText('Balances, PKR').waitFor();

describe('by the keyboard alone', () => {
  test('an order in review is completed: key, note, Ctrl and Enter', async () => {
    const { orderId } = await orders.inReview('1001');
    const { page, close } = await console.open({ role: 'support', path: `/orders/${orderId}` });
    await ready(page);
    await page.keyboard.press('a');
    await effectShown(page);
    await typeInto(page.getByLabel('Note'), 'Seen in the statement.');
    await sendDialog(page);
    await page.getByText('PKR 2,500 completed.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Seen in the statement.').waitFor();
    expect(await statusOf(orderId)).toBe('Completed');
    await close();
  });

  test('every action is reached by Tab, and Escape gives the focus back', async () => {
    const { orderId } = await orders.inHand();
    const { page, close } = await console.open({ role: 'support', path: `/orders/${orderId}` });
    await ready(page);
    await tabTo(page, 'main [aria-haspopup=menu]');
    await page.keyboard.press('Enter');
    const review = page.getByRole('menuitem', { name: 'Take PKR 2,500 into review…' });
    await review.waitFor();
    await page.locator('[role=menu]:focus-within').waitFor();
    await page.keyboard.press('ArrowDown');
    await hasFocus(review);
    await page.keyboard.press('Enter');
    await effectShown(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction("document.activeElement.matches('h1, main [aria-haspopup=menu]')");
    expect(await statusOf(orderId)).toBe('AwaitingCustomerPayment');
    await close();
  });

  test('nothing is done without a note', async () => {
    const { orderId } = await orders.inReview('1002');
    const { page, close } = await console.open({ role: 'support', path: `/orders/${orderId}` });
    await ready(page);
    await page.keyboard.press('a');
    await effectShown(page);
    await sendDialog(page);
    await page.getByText('Enter the reason in a few words.').waitFor();
    expect(await statusOf(orderId)).toBe('ManualReview');
    await close();
  });
});

test('a late confirmation of what nobody held may name who received the money', async () => {
  const { memberId } = await createMember(service, { name: 'Rahim Uddin', online: false });
  await everybodyOffline(service);
  const { orderId } = await createOrder(orders.merchant, { amount: 2500 });
  await orders.operator.post(`/orders/${orderId}/cancel`, { note: 'n' });
  const { page, close } = await console.open({ role: 'support', path: `/orders/${orderId}` });
  await ready(page);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Confirm PKR 2,500…' }).click();
  await effectShown(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('the adjustments account stands in for a member').waitFor();
  await dialog.getByRole('combobox').fill('Rahim');
  await page.getByRole('option', { name: 'Rahim Uddin' }).click();
  await dialog.getByText('Rahim Uddin, float').waitFor();
  await dialog.getByLabel('Note').fill('Rahim has it.');
  await sendDialog(page);
  await page.getByText('PKR 2,500 confirmed.').waitFor();
  const { data } = await orders.operator.get(`/orders/${orderId}`);
  expect(data.postings).toMatchObject([{ memberId, memberFloat: -2500 }]);
  await close();
});

test('long names, whole or masked, widen neither a page nor a dialog', async () => {
  const name = 'Muhammadabdurrahmanibnsulaimanalhasanialqadrisiddiquifarooqi';
  const masked = 'Abdul Rahman Bin Omar Khan '.repeat(7).trim();
  await orders.operator.patch(`/merchants/${orders.merchant.merchantId}`, { name });
  const { orderId } = await orders.inReview('1015', { memberName: name, customerReference: name });
  const payout = await orders.payout({ customerAccountName: masked, memberName: name });
  const { claimId } = await orders.claimed('99005555', { memberName: name });
  const who = await createOperator(service, 'support', name);
  await operatorClient(service, who.token).post(`/orders/${orderId}/claim`);
  await operatorClient(service, who.token).post(`/late-claims/${claimId}/take`);
  const { page, close } = await console.open({ path: `/orders/${orderId}` });
  const expectFits = async (what: string) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const wider = await page.evaluate<number>(
        '[document.documentElement, ...document.querySelectorAll("[data-card], form")].reduce((most, one) => Math.max(most, one.scrollWidth - one.clientWidth), 0)',
      );
      expect({ what, width, wider }).toEqual({ what, width, wider: 0 });
    }
  };
  await ready(page);
  await page.getByText('If completed, PKR').waitFor();
  await expectFits('order');
  await page.keyboard.press('a');
  await effectShown(page);
  await expectFits('dialog');
  for (const [path, shown] of [
    [`/queues?open=${orderId}`, `${name} is working on this order.`],
    [`/late-claims?claim=${claimId}`, 'Take it over'],
    [`/orders/${payout.orderId}`, /^A… R… B… O… K… A…/],
  ] as const) {
    await page.goto(`${service.url}/console${path}`);
    await page.getByText(shown).first().waitFor();
    await expectFits(path);
  }
  await orders.operator.patch(`/merchants/${orders.merchant.merchantId}`, {
    name: 'Bazaar Online',
  });
  await close();
});

test('a dialog with something typed asks before Escape, a click beside it or a reload loses it', async () => {
  const { orderId } = await orders.inReview('1014');
  const { page, close } = await console.open({ role: 'support', path: `/orders/${orderId}` });
  await ready(page);
  await page.keyboard.press('a');
  const note = page.getByLabel('Note');
  const question = page.getByRole('dialog', { name: 'Close, and lose what you typed?' });
  await typeInto(note, 'Seen in the statement');
  await page.keyboard.press('Escape');
  await question.waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await hasFocus(note);
  expect(await note.inputValue()).toBe('Seen in the statement');

  await page.mouse.click(5, 5);
  await question.getByRole('button', { name: 'Go on typing' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await note.inputValue()).toBe('Seen in the statement');
  const asked = page.waitForEvent('dialog');
  await page.reload();
  expect((await asked).type()).toBe('beforeunload');

  await ready(page);
  await page.keyboard.press('a');
  await typeInto(note, 'Seen');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Close, and lose it' }).click();
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  await page.keyboard.press('a');
  await typeInto(note, 'x');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').first().waitFor({ state: 'detached' });
  await close();
});

describe('two operators at once', () => {
  /** Ready to be sent. */
  const complete = async (page: Page, note: string) => {
    await page.getByRole('button', { name: 'Complete PKR 2,500…' }).click();
    await effectShown(page);
    await fillNote(page, note);
  };

  test('both resolve: one wins, the other sees who', async () => {
    const { orderId } = await orders.inReview('1003');
    const path = `/orders/${orderId}`;
    const [one, other] = [
      await console.open({ who: await createOperator(service, 'support'), path }),
      await console.open({ role: 'admin', path }),
    ];
    await Promise.all([ready(one.page), ready(other.page)]);
    // The one receives no event, so that both send.
    await one.page.route('**/api/operator/orders/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await complete(one.page, 'mine');
    await complete(other.page, 'the other');
    await sendDialog(other.page);
    await other.page.getByText('PKR 2,500 completed.').waitFor();
    await sendDialog(one.page);
    const dialog = one.page.getByRole('dialog');
    await dialog
      .getByText('The order is Completed; only an order in ManualReview can be resolved.')
      .first()
      .waitFor();
    await one.page.unroute('**/api/operator/orders/*');
    await dialog.getByText('The admin was faster: Completed.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Complete PKR 2,500' }).isDisabled()).toBe(
      true,
    );
    expect(await one.page.getByLabel('Note').inputValue()).toBe('mine');
    const { data } = await orders.operator.get(`/orders/${orderId}`);
    expect(data.timeline.at(-1).note).toBe('the other');
    await one.context.close();
    await other.close();
  });

  test('whose dialog is open sees who was faster, and asks for no effect that can only be refused', async () => {
    const { orderId } = await orders.inReview('1013');
    const one = await console.open({ role: 'support', path: `/orders/${orderId}` });
    await ready(one.page);
    await complete(one.page, 'mine');
    const refused: string[] = [];
    one.page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    const other = await createOperator(service, 'support', 'Sana Iqbal');
    await operatorClient(service, other.token).post(`/orders/${orderId}/resolve`, {
      outcome: 'Completed',
      note: 'the other',
    });
    const dialog = one.page.getByRole('dialog');
    await dialog.getByText('Sana Iqbal was faster: Completed.').waitFor();
    expect(await dialog.getByText('Balances, PKR').count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Complete PKR 2,500' }).isDisabled()).toBe(
      true,
    );
    expect(await dialog.getByLabel('Note').inputValue()).toBe('mine');
    expect(refused).toEqual([]);
    // The note is of no use any more: nobody is asked about it.
    await one.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await one.close();
  });

  test('a request for two people waits for the other one', async () => {
    const { orderId } = await orders.inReview('1004');
    const who = await createOperator(service, 'support');
    await service.database.pool.query('update settings set require_second_operator = true');
    const path = `/orders/${orderId}`;
    const one = await console.open({ who, path });
    await complete(one.page, 'seen');
    await one.page.getByRole('button', { name: 'Ask for approval of PKR 2,500' }).click();
    await one.page.getByRole('link', { name: 'Open the request' }).waitFor();
    expect(await one.page.getByRole('button', { name: 'Approve PKR 2,500…' }).count()).toBe(0);
    const other = await console.open({ role: 'approver', path });
    await other.page.getByRole('button', { name: 'Approve PKR 2,500…' }).click();
    await effectShown(other.page);
    await other.page.getByLabel('Note').fill('agreed');
    await sendDialog(other.page);
    await other.page.getByText('PKR 2,500 approved.').waitFor();
    await service.database.pool.query('update settings set require_second_operator = false');
    expect(await statusOf(orderId)).toBe('Completed');
    await one.close();
    await other.close();
  });
});

test('a session that ends in the middle of a note keeps it', async () => {
  const { orderId } = await orders.inReview('1005');
  const who = await createOperator(service, 'support');
  const { page, close } = await console.open({ who, path: `/orders/${orderId}` });
  await ready(page);
  await page.keyboard.press('a');
  await effectShown(page);
  await fillNote(page, 'half a sen');
  await canSend(page);
  await service.database.pool.query('delete from sessions where principal_id = $1', [
    who.operatorId,
  ]);
  await page.keyboard.press('Control+Enter');
  await page.getByText('Your session has ended. What you typed is kept.').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.keyboard.press('Enter');
  await page
    .getByText('Your session has ended. What you typed is kept.')
    .waitFor({ state: 'detached' });
  const note = page.getByRole('dialog').getByLabel('Note');
  expect(await note.inputValue()).toBe('half a sen');
  await note.fill('half a sentence, and the rest');
  await sendDialog(page);
  await page.getByText('PKR 2,500 completed.').waitFor();
  expect(await statusOf(orderId)).toBe('Completed');
  await close();
});

test('the summary for the merchant says nothing of the member', async () => {
  const { orderId, orderReference, member } = await orders.inReview('1006', {
    customerReference: 'customer 7',
  });
  const { page, close } = await console.open({ role: 'viewer', path: `/orders/${orderId}` });
  await ready(page);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Copy for the merchant' }).click();
  await page.getByText('Copied, without anything about the member.').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toContain(`Order ${orderReference}: PKR\u00a02,500 deposit`);
  expect(copied).toContain('Customer reference: customer 7');
  expect(copied).toContain('Digits of their transaction: 1006');
  for (const secret of ['Sana', member.username, ...member.accounts.map((a) => a.accountNumber)])
    expect(copied).not.toContain(secret);
  await close();
});

test('a picture is opened by the keyboard and recorded; a viewer sees that it is there', async () => {
  const { orderId, member } = await orders.paid('1007');
  await handInEvidence(service, member, { orderId, kind: 'reject' });
  const opened = async () =>
    (await orders.operator.get(`/audit-log?action=evidence.open&target=${orderId}`)).data;
  const who = await createOperator(service, 'support');
  const { page, close } = await console.open({ who, path: `/orders/${orderId}` });
  await ready(page);
  await tabTo(page, '[aria-label="Open: Sana Iqbal: picture with the rejection"]');
  expect(await opened()).toEqual([]);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('That you opened it is recorded in the audit log.').waitFor();
  expect(await page.evaluate("document.querySelector('[role=dialog] img').naturalWidth")).toBe(450);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.waitForFunction("document.activeElement.innerText === 'Open'");
  expect(await opened()).toMatchObject([{ actor: { id: who.operatorId } }]);
  await close();

  const viewing = await console.open({ role: 'viewer', path: `/orders/${orderId}` });
  await viewing.page.getByText('Pictures are opened by support and admins.').waitFor();
  expect(await viewing.page.getByRole('button', { name: /^Open: / }).count()).toBe(0);
  await viewing.close();
});

test('a viewer is offered nothing that would be refused', async () => {
  const { orderId } = await orders.payout();
  const { page, seen, close } = await console.open({ role: 'viewer', path: `/orders/${orderId}` });
  await ready(page);
  await page.getByText('…4567').waitFor();
  expect(await page.getByRole('button', { name: 'Show', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'More' }).click();
  expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Copy for the merchant']);
  expect(seen.complaints.filter((text) => text.includes('403'))).toEqual([]);
  await close();
});
