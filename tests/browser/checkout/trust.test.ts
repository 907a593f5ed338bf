import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { advance, type CreatedOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { expectAccessible, expectFits } from '../checks.ts';
import { asCustomer, expectClaimed, expectView, submitForm, unfold } from './customer.ts';
import { LANGUAGES } from './pages.ts';
import { accountOf, memberDoes, openShop } from './shop.ts';
import { RETURNS } from './views.ts';

/** What a customer looks for before they trust a page with their money, and keeps afterwards. */

const YELLOW = '#ffe600';
const shop = await openShop();
const browser = await sharedBrowser();

const operator = operatorClient(shop.service);
for (const currency of ['INR', 'BDT'])
  await operator.post('/exchange-rates', { currency, rate: 3 });
await shop.service.database.pool.query(
  `update member_accounts set account_number = 'sana@okbank' where wallet_type = 'TillID'`,
);
const { accountId } = accountOf(shop, 'ProviderATillID');
expect((await operator.post(`/member-accounts/${accountId}/suspend`)).status).toBe(200);
const red = { width: 300, height: 100, channels: 3, background: '#d00000' } as const;
const logo = (await sharp({ create: red }).png().toBuffer()).toString('base64');
const { status, text } = await operator.patch(`/merchants/${shop.merchant.merchantId}`, {
  brandColour: YELLOW,
  logo,
  currencies: ['PKR', 'INR', 'BDT'],
  supportEmail: 'help@corner.example',
  supportPhone: '+92 21 1234567',
  supportUrl: 'https://corner.example/help',
});
expect(status, text).toBe(200);

const { order } = shop;
const inLanguage = ({ paymentPageUrl }: CreatedOrder, language: string) =>
  `${paymentPageUrl}&lang=${language}`;

async function confirmed(body: object = {}): Promise<CreatedOrder> {
  const made = await order(body);
  await openPage(made).data('open');
  await openPage(made).data('confirm', { transactionDigits: '4711' });
  return made;
}
async function completed(body: object = {}): Promise<CreatedOrder> {
  const made = await confirmed(body);
  await memberDoes(shop, 'confirm', made);
  return made;
}

/** How far down the first screen an element goes. */
const bottomOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} is not drawn`);
  return box.y + box.height;
};

describe('before the payment', () => {
  test.each(LANGUAGES)(
    'everything to pay is on one screen of 360 × 640 in %s: amount, account, name, who it is for, the next step',
    (language) =>
      asCustomer(browser, {}, async ({ page }) => {
        const made = await order();
        await page.goto(inLanguage(made, language));
        await expectView(page, 'pay');
        const next = (await page.locator('.sent').boundingBox())?.y ?? 0;
        for (const part of ['.steps', 'h1 .amount', '.marked .value', '.pay .row + .row', '.safe'])
          expect(await bottomOf(page, part), part).toBeLessThanOrEqual(next);
        expect(await bottomOf(page, '.sent')).toBeLessThanOrEqual(640);
        const shown = await page.locator('main').innerText();
        expect(shown.split('1,500.50')).toHaveLength(2);
      }),
  );

  test.each(LANGUAGES)(
    'so is everything to pay by QR code in %s: amount, code, name, who it is for, the next step',
    (language) =>
      asCustomer(browser, {}, async ({ page }) => {
        await shop.service.database.pool.query(
          `update member_accounts set account_title = 'Muhammad Usman Ghani' where wallet_type = 'ProviderAQR'`,
        );
        const made = await order({ walletType: 'ProviderAQR' });
        await openPage(made).data('open');
        await openPage(made).data('payer', { accountNumber: '03001234567' });
        await page.goto(inLanguage(made, language));
        await expectView(page, 'pay');
        const next = (await page.locator('.sent').boundingBox())?.y ?? 0;
        for (const part of ['h1 .amount', '.qr svg', '.pay dl .value', '.safe'])
          expect(await bottomOf(page, part), part).toBeLessThanOrEqual(next);
      }),
  );

  test('who receives the money stands in one sentence, with the order’s numbers and where to ask', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order({ merchantOrderRef: 'INV-2041' });
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      const { accountTitle } = accountOf(shop, 'ProviderA');
      const sentence = (await page.locator('.safe').innerText()).replace(/[\u2066-\u2069]/g, '');
      expect(sentence).toBe(
        `${accountTitle} collects for Corner Shop. If your app shows another name, do not pay. Never tell anybody your PIN or OTP.`,
      );
      const foot = page.locator('footer');
      expect(await foot.innerText()).toContain('INV-2041');
      expect(await foot.locator('[data-copy]').getAttribute('data-copy')).toBe(made.orderReference);
      expect(
        await foot
          .locator('a')
          .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      ).toEqual(['tel:+92211234567', 'mailto:help@corner.example', 'https://corner.example/help']);
    }));

  test.each(['light', 'dark'] as const)(
    'a pale colour of the merchant stays readable in %s, on the button and beside it; their logo is shown',
    (colorScheme) =>
      asCustomer(browser, { colorScheme }, async ({ page }) => {
        const made = await order();
        await page.goto(made.paymentPageUrl);
        await expectView(page, 'pay');
        const logo = page.locator('header img');
        expect(
          await logo.evaluate(
            (image) => (image as unknown as { naturalWidth: number }).naturalWidth,
          ),
        ).toBeGreaterThan(0);
        await expectFits(page);
        await page.clock.resume(); // axe has timers
        await expectAccessible(page, [colorScheme]);
      }),
  );

  test.each([
    ['en-US', 'PKR', 'ur'],
    ['en-US', 'INR', 'hi'],
    ['en-US', 'BDT', 'bn'],
    ['en-IN', 'PKR', 'hi'],
    ['ur-PK', 'PKR', undefined],
  ])('a browser in %s that pays in %s is offered %s, until it picks', (locale, currency, offered) =>
    asCustomer(browser, { locale }, async ({ page }) => {
      const made = await order({ currency });
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      const offer = page.locator('header a.pill');
      expect(await offer.count()).toBe(offered === undefined ? 0 : 1);
      if (offered === undefined) return;
      expect(await offer.getAttribute('lang')).toBe(offered);
      await unfold(page, page.locator('nav.languages'));
      await page.goto(inLanguage(made, 'en'));
      expect(await offer.count()).toBe(0);
    }),
  );

  test.each([true, false])(
    'a UPI app is opened with everything filled in, on phones: %s',
    (isMobile) =>
      asCustomer(browser, { isMobile, hasTouch: isMobile }, async ({ page }) => {
        const made = await order({ currency: 'INR', walletType: 'TillID' });
        await page.goto(made.paymentPageUrl);
        await expectView(page, 'pay');
        const link = page.locator('a.upi');
        expect(await link.isVisible()).toBe(isMobile);
        expect(await link.getAttribute('href')).toMatch(
          /^upi:\/\/pay\?pa=sana@okbank&.*am=1500\.50&cu=INR/,
        );
      }),
  );

  test('ways to pay are grouped by whose app they are; what nobody can receive now comes last and says so', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order({ walletType: 'BankAccount' });
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'methods');
      const groups = page.locator('.methods fieldset');
      expect(await groups.locator('legend bdi').allInnerTexts()).toEqual([
        'ProviderA',
        'ProviderB',
      ]);
      expect(await groups.first().locator('button').allInnerTexts()).toEqual([
        'Account',
        'QR code',
        'Till ID\nNot available right now',
      ]);
      await page.locator('[value=ProviderATillID]').click();
      await page.locator('main[data-view=methods] .error').waitFor();
    }));
});

describe('after the payment', () => {
  test.each([true, false])(
    'the page says what was sent to whom and since when, and how to come back, JavaScript %s',
    (javaScriptEnabled) =>
      asCustomer(
        browser,
        { javaScriptEnabled, permissions: ['clipboard-read', 'clipboard-write'] },
        async ({ page }) => {
          const made = await confirmed({ merchantOrderRef: `INV-2042 ${javaScriptEnabled}` });
          const { accountTitle, accountNumber } = accountOf(shop, 'ProviderA');
          await page.goto(made.paymentPageUrl);
          await expectView(page, 'verifying');
          const shown = await page.locator('main').innerText();
          for (const fact of [
            accountTitle,
            accountNumber.slice(-4),
            '4711',
            '1,500.50',
            'INV-2042',
          ])
            expect(shown).toContain(fact);
          expect(shown).not.toContain(accountNumber);
          const back = page.locator('[data-copy-link]');
          if (javaScriptEnabled) {
            await back.click();
            await page.locator('[data-announce]:not(:empty)').waitFor();
            const copied = await page.evaluate<string>('navigator.clipboard.readText()');
            expect(copied).toBe(made.paymentPageUrl);
          } else {
            await back.click();
            await expectView(page, 'verifying');
          }
        },
      ),
  );

  test('a receipt is shared and saved as text, with everything but the link and the fee', () =>
    asCustomer(browser, {}, async ({ page, context }) => {
      const made = await completed({ merchantOrderRef: 'INV-2043' });
      await page.addInitScript(
        'navigator.share = ({ text, url }) => { window.shared = [text, url]; return Promise.resolve(); }',
      );
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'completed');
      await page.locator('[data-share]').click();
      const [text, url] = await page.evaluate<[string, unknown]>('window.shared');
      expect(url).toBeUndefined();
      const { accountTitle } = accountOf(shop, 'ProviderA');
      for (const fact of [
        'Corner Shop',
        '1,500.50',
        accountTitle,
        '4711',
        made.orderReference,
        'INV-2043',
      ])
        expect(text).toContain(fact);
      expect(text).not.toMatch(/token=|\/pay\/|https?:|fee/i);
      const saved = await context.request.get(
        await page
          .locator('a[download]')
          .evaluate((link) => (link as unknown as { href: string }).href),
      );
      expect(saved.headers()['content-disposition']).toContain('attachment');
      expect(await saved.text()).toBe(text);
    }));

  test('a touch ends the five seconds; the link shows the receipt for 24 hours more', () =>
    asCustomer(browser, {}, async ({ page, seen }) => {
      const made = await completed(RETURNS);
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'completed');
      await page.locator('h1').click();
      await page.clock.runFor(10_000);
      expect(seen.requests.filter((url) => url.startsWith('https://shop.example'))).toEqual([]);
      await page.locator('[data-return]').waitFor();
      await advance(shop.service, 86_000);
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'completed');
      expect(await page.locator('main').innerText()).toContain('4711');
    }));

  test.each([
    ['otherAmount', 'en', 'but of another amount'],
    ['reversed', 'ur', 'واپس لے لی گئی'],
    [null, 'hi', 'मेल खाता कोई भुगतान नहीं मिला'],
  ] as const)(
    'a rejection for %s says so in %s, with where to ask and a claim',
    (reasonCode, language, said) =>
      asCustomer(browser, {}, async ({ page }) => {
        const made = await confirmed();
        await memberDoes(shop, 'reject', made, reasonCode);
        await page.goto(inLanguage(made, language));
        await expectView(page, 'rejected');
        const shown = await page.locator('main').innerText();
        expect(shown).toContain(said);
        expect(shown).toContain(made.orderReference);
        expect(shown).toContain('help@corner.example');
        expect(shown).not.toContain('words for the operator');
        await submitForm(page, 'claim', { transactionDigits: '4712' });
        await expectClaimed(page, '4712');
        await expectView(page, 'rejected');
      }),
  );
});
