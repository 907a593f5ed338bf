import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';
import { stopClock } from '../../support/browser.ts';
import { handInEvidence, photo } from '../../support/evidence.ts';
import { everybodyOffline, orderStatus } from '../../support/fixtures.ts';
import { memberWork, openMemberApp, passUndo, sayYes } from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';

/** M8: pictures that are handed in with what a member does. */

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

const freshWork = async () => {
  await everybodyOffline(service);
  return memberWork(service);
};

const file = async (buffer: Promise<Buffer> = photo()) => ({
  name: 'receipt.jpg',
  mimeType: 'image/jpeg',
  buffer: await buffer,
});

/** What a telephone's camera writes: 6 million pixels, lying down, with where it was. */
const cameraPhoto = async (): Promise<Buffer> => {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 16 };
  const drawn = sharp({
    create: { width: 1000, height: 750, channels: 3, noise, background: '#fff' },
  });
  const large = sharp(await drawn.png().toBuffer()).resize(2800, 2100);
  const place = { IFD3: { GPSLatitude: '31/1 33/1 0/1' } };
  return large
    .withMetadata({ orientation: 6 })
    .withExifMerge(place)
    .jpeg({ quality: 90 })
    .toBuffer();
};

/** As far as the five seconds in which it can be undone. */
async function reject(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'The money is not here' }).click();
  await page.getByText('Not in the account').click();
}
async function sure(page: Page): Promise<void> {
  await stopClock(page);
  await page.getByRole('button', { name: 'Reject PKR 2,500' }).click();
  await sayYes(page, 'Yes, no money has come');
}
const pick = async (page: Page, picture?: Promise<Buffer>) => {
  const gallery = page.getByRole('dialog').getByLabel('Gallery');
  await gallery.setInputFiles(await file(picture));
  await page.getByRole('img', { name: 'Picture 1' }).waitFor();
};

const evidenceOf = async (
  { operator }: Awaited<ReturnType<typeof freshWork>>,
  { orderId }: { readonly orderId: string },
) => (await operator.get(`/orders/${orderId}`)).data.evidence as { kind: string; bytes: number }[];

test('a photo is cut down on the phone, without where it was taken, and handed in after its action', async () => {
  const work = await freshWork();
  const order = await work.paid();
  const { page, close } = await app.open({
    ...{ who: work.member, path: `/orders/${order.orderId}`, clock: true },
  });
  await reject(page);
  await pick(page, cameraPhoto());
  await sure(page);
  await page.getByText('1 picture goes with it.').waitFor();
  expect(await evidenceOf(work, order)).toEqual([]);
  const sent = page.waitForRequest(
    (request) => request.url().endsWith('/evidence') && request.method() === 'POST',
  );
  await passUndo(page);
  const { picture } = (await sent).postDataJSON();
  const bytes = Buffer.from(picture.split(',')[1], 'base64');
  const { format, width, height, exif } = await sharp(bytes).metadata();
  expect({ format, width, height, exif }).toEqual({
    format: 'jpeg',
    width: 1200,
    height: 1600,
    exif: undefined,
  });
  expect(bytes.length).toBeLessThanOrEqual(200 * 1024);
  await page.getByText('Rejected', { exact: true }).waitFor();
  await page.getByRole('img', { name: 'Picture 1' }).waitFor(); // as the service keeps it
  expect(await evidenceOf(work, order)).toMatchObject([{ kind: 'reject' }]);
  await close();
});

test('a picture that is not chosen after all leaves what is typed', async () => {
  const work = await freshWork();
  const order = await work.payout();
  const { page, close } = await app.open({ who: work.member, path: `/orders/${order.orderId}` });
  await page.getByRole('button', { name: 'I have paid' }).click();
  const reference = page.getByLabel('Transaction ID');
  await reference.fill('TX 99812');
  const cancelled = page.evaluate(
    `new Promise((resolve) => document.addEventListener('cancel', resolve, { once: true }))`,
  );
  // As the browser says it when its list of pictures is closed.
  await page.locator('dialog input[type=file]').last().dispatchEvent('cancel', { bubbles: true });
  await cancelled;
  await page.getByRole('button', { name: 'Paid PKR 4,200' }).waitFor();
  expect(await reference.inputValue()).toBe('TX 99812');
  await close();
});

test('what is undone takes its picture along', async () => {
  const work = await freshWork();
  const order = await work.paid();
  const { page, close, seen } = await app.open({
    ...{ who: work.member, path: `/orders/${order.orderId}`, clock: true },
  });
  await reject(page);
  await pick(page);
  await sure(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Money is here' }).waitFor();
  await page.clock.fastForward(60_000);
  expect(seen.requests.filter((url) => url.endsWith('/evidence'))).toEqual([]);
  expect(await evidenceOf(work, order)).toEqual([]);
  await close();
});

test('no order waits for a picture, however slowly that goes', async () => {
  const work = await freshWork();
  const order = await work.paid();
  const { page, context, close } = await app.open({
    ...{ who: work.member, path: `/orders/${order.orderId}`, clock: true },
  });
  // What a worker serves is not seen by a route.
  await context.addInitScript('delete Navigator.prototype.serviceWorker');
  await page.reload();
  const upload = Promise.withResolvers<void>();
  await context.route('**/evidence', async (route) => {
    if (route.request().method() === 'POST') await upload.promise;
    await route.continue();
  });
  await reject(page);
  await pick(page);
  await sure(page);
  await passUndo(page);
  await page.getByText('Rejected', { exact: true }).waitFor();
  await page.getByText('Sending a picture').waitFor();
  expect((await orderStatus(work.merchant, order.orderId)).status).toBe('Rejected');
  await page.getByRole('link', { name: 'Work' }).click();
  await page.getByText('Sending a picture').waitFor();
  upload.resolve();
  await page.getByText('Sending a picture').waitFor({ state: 'detached' });
  expect(await evidenceOf(work, order)).toHaveLength(1);
  await close();
});

test('without network it is kept, refuses to be signed out on, and goes once at the next opening', async () => {
  const work = await freshWork();
  const order = await work.paid();
  await work.operator.post(`/orders/${order.orderId}/escalate`, { note: 'The customer called.' });
  const { page, context, close } = await app.open({
    ...{ who: work.member, path: `/orders/${order.orderId}` },
  });
  await page.getByRole('button', { name: 'Add a picture' }).click();
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})'); // all of the app is there
  await context.setOffline(true);
  await page.getByLabel('Gallery').setInputFiles(await file());
  await page.getByText('A picture will be sent when you are online.').waitFor();
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('dialog').getByText('Picture for PKR 2,500').waitFor();
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(`${service.url}/member/`);
  await expect.poll(() => evidenceOf(work, order)).toMatchObject([{ kind: 'report' }]);
  await again.reload();
  await again.getByText('PKR 2,500').first().waitFor();
  expect(await evidenceOf(work, order)).toHaveLength(1);
  await close();
});

test('one that is not accepted says why, and harms nothing', async () => {
  const work = await freshWork();
  const order = await work.paid();
  const { page, close } = await app.open({
    ...{ who: work.member, path: `/orders/${order.orderId}`, clock: true },
  });
  await reject(page);
  await pick(page, photo({ seed: 9 }));
  for (const seed of [1, 2, 3, 4, 5])
    await handInEvidence(service, work.member, { ...order, kind: 'reject', seed });
  await sure(page);
  await passUndo(page);
  await page.getByText('Operations have five pictures of this order already.').waitFor();
  await page.getByRole('button', { name: 'Understood' }).click();
  await page.getByText('A picture was not accepted').waitFor({ state: 'detached' });
  expect((await orderStatus(work.merchant, order.orderId)).status).toBe('Rejected');
  await close();
});

test('a payout is confirmed with its receipt by keyboard alone', async () => {
  const work = await freshWork();
  const order = await work.payout();
  const { page, close } = await app.open({
    ...{ who: work.member, path: `/orders/${order.orderId}`, clock: true },
  });
  const picture = await file();
  // From the beginning: the browser learns that somebody listens, which takes it a moment.
  page.on('filechooser', (chooser) => void chooser.setFiles(picture));
  const focusOn = async (name: string | RegExp, role: 'button' | 'textbox') => {
    const wanted = page.getByRole(role, { name }).and(page.locator(':focus'));
    for (let presses = 0; presses < 30 && (await wanted.count()) === 0; presses += 1)
      await page.keyboard.press('Tab');
    await wanted.waitFor();
  };
  await page.getByRole('button', { name: 'I have paid' }).waitFor();
  await focusOn('I have paid', 'button');
  await page.keyboard.press('Enter');
  await page.getByLabel('Transaction ID').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('TX 99812');
  await page.keyboard.press('Tab'); // Paste
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab'); // Gallery
  await page.locator('input[type=file]:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'Picture 1' }).waitFor();
  await focusOn('Paid PKR 4,200', 'button');
  await page.keyboard.press('Enter');
  await page
    .getByRole('button', { name: /^Yes, sent to/ })
    .and(page.locator(':focus'))
    .waitFor();
  await stopClock(page);
  await page.keyboard.press('Enter');
  await passUndo(page);
  await page.getByText('Completed', { exact: true }).waitFor();
  await expect.poll(() => evidenceOf(work, order)).toMatchObject([{ kind: 'confirm' }]);
  await close();
});
