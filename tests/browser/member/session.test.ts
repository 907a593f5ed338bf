import { expect } from 'vitest';
import { everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import {
  confirmDeposit,
  memberWork,
  openMemberApp,
  PASSWORD,
  passUndo,
} from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

test('a sign-in that has ended is asked for over the screen, however often the app tries to send', async () => {
  await everybodyOffline(service);
  const { member, merchant, paid } = await memberWork(service);
  const { orderId } = await paid();
  const { page, close } = await app.openOrder(member, { orderId });
  await confirmDeposit(page);
  await service.database.pool.query('delete from sessions where principal_id = $1', [
    member.memberId,
  ]);
  await passUndo(page);
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
  for (let tries = 0; tries < 3; tries += 1) {
    const asked = page.waitForResponse((answer) => answer.url().endsWith('/api/member/session'));
    await page.clock.fastForward(RETRY_MS);
    expect((await asked).status()).toBe(401);
  }
  expect(await again.getByLabel('Password', { exact: true }).inputValue()).toBe(PASSWORD);
  await again.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Completed', { exact: true }).waitFor();
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  await close();
});
/** After this time the app tries again to send what waits. */
const RETRY_MS = 5_000;
