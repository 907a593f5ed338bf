import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { advance } from '../../support/fixtures.ts';
import { openPage } from '../../support/page-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { expectQuiet } from '../checks.ts';
import {
  asCustomer,
  type Customer,
  expectChangeShown,
  expectClaimed,
  expectReturn,
  expectView,
  openLink,
  putAway,
  submitForm,
  tenSecondsLater,
  unfold,
} from './customer.ts';
import { accountOf, memberDoes, openShop, operatorDoes, whileAway } from './shop.ts';
import { RETURNS } from './views.ts';

/** In the shapes of wallets and banks, and the last digits of their IDs. */
const MESSAGES = [
  [
    'Rs. 2,500.00 sent to AHMED 03001234567 at 07/06/2026 22:45. Fee: Rs. 0.00. Balance: Rs. 8,140.55. TID: 028311906999. Date 07/06/2026 22:45',
    '6999',
  ],
  [
    'Trx ID: 31500123456. Rs.3000.00 paid to ALI in 03451234567. Charges Rs. 0. Bal Rs. 912.33',
    '3456',
  ],
  [
    'PKR 5,000.00 sent to AHMED A/C *1234 via Raast on 07-Jun-26 22:45:10. Ref # 960855. Fee PKR 23.00',
    '0855',
  ],
  [
    'Send Money Tk 510.00 to 01813738081 successful. Ref 2. Fee Tk 5.00. Balance Tk 4,479.65. TrxID BFD9KRC2ZA at 07/06/2026 22:45',
    '0092',
  ],
  [
    'Money Sent.\nAmount: Tk 500.00\nReceiver: 01737067174\nTxnID: 747FUXJZ\nBalance: Tk 500.78\n2026-06-07 22:45',
    '0747',
  ],
  [
    'Dear UPI user A/C X1234 debited by 150.0 on date 07Jun26 trf to AHMED Refno 615822450001. If not u? call 1800111109. -SBI',
    '0001',
  ],
] as const;
const UNNAMED = 'Rs 500 paid to SHOP on 07/06/2026 22:45. Balance Rs 2,245.00. Fee Rs 1234';
const QUOTING =
  'Send Money Tk 500.00 to 01712345678 successful. Ref TrxID 9AB8C7D6E5. TrxID DCK1B9P81H';

const shop = await openShop();
const browser = await sharedBrowser();

const order = (body: object = {}) => shop.order({ ...RETURNS, ...body });
const withdrawal = (body: object = {}) => order({ orderType: 'Withdrawal', ...body });
const { statusOf } = shop;

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  const customer = (work: (customer: Customer) => Promise<void>) =>
    asCustomer(browser, { javaScriptEnabled }, async (one) => {
      await work(one);
      expectQuiet(one.seen, shop.service.url);
    });
  const later = (page: Page) => tenSecondsLater(page, javaScriptEnabled);
  const changeShown = (page: Page) => expectChangeShown(page, javaScriptEnabled);

  async function pay(page: Page, digits = '1234'): Promise<void> {
    await submitForm(page, 'check', { transactionDigits: digits });
    await expectView(page, 'check');
    await submitForm(page, 'confirm');
    await expectView(page, 'verifying');
  }

  test('nobody there: honest waiting, looked again every ten seconds, then the account', () =>
    customer(async ({ page }) => {
      await whileAway(shop, async () => {
        const made = await order();
        await openLink(page, made, javaScriptEnabled);
        await expectView(page, 'waiting');
        const said = await page.locator('main').innerText();
        expect(said).toContain('Please do not send money yet');
        expect(said.includes('looks again every 10 seconds')).toBe(javaScriptEnabled);
        await later(page);
        await expectView(page, 'waiting');
        expect(await statusOf(made)).toBe('Awaiting');
      });
      if (javaScriptEnabled) await page.clock.runFor(10_000);
      else await submitForm(page, 'open');
      await expectView(page, 'pay');
    }));

  test('BankAccount: the list of methods; wrong digits beside their field with the input kept; another method while nothing is paid', () =>
    customer(async ({ page }) => {
      const made = await order({ walletType: 'BankAccount', txnRefDigitsRequired: 8 });
      await openLink(page, made, javaScriptEnabled);
      await expectView(page, 'methods');
      expect(
        await page
          .locator('[name=walletType]')
          .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('value'))),
      ).toEqual([
        'ProviderA',
        'ProviderATillID',
        'ProviderAQR',
        'ProviderB',
        'TillID',
        'ProviderBQR',
      ]);
      await page.locator('[name=walletType][value=TillID]').click();
      await expectView(page, 'pay');
      expect(await page.locator('main dl').innerText()).toContain(
        accountOf(shop, 'TillID').accountNumber,
      );
      await submitForm(page, 'check', { transactionDigits: '1234' });
      const input = page.locator('[name=transactionDigits]');
      await page.locator('#transactionDigits-error.error').waitFor();
      expect(await input.inputValue()).toBe('1234');
      expect(await input.getAttribute('aria-invalid')).toBe('true');
      expect(await input.getAttribute('aria-describedby')).toContain('transactionDigits-error');
      await unfold(page, page.locator('[name=walletType]').first());
      await page.locator('[name=walletType][value=ProviderB]').click();
      await page.getByText(accountOf(shop, 'ProviderB').accountNumber).waitFor();
      await pay(page, '12345678');
    }));

  test.each([
    ['ProviderAQR', 'accountNumber', '12', '0300 1234567'],
    ['ProviderBQR', 'ibanLast4', '12', '0071'],
  ] as const)(
    '%s: the payer first, then the code with its picture and account, then confirmed without digits',
    (walletType, name, wrong, right) =>
      customer(async ({ page, context }) => {
        const made = await order({ walletType });
        await openLink(page, made, javaScriptEnabled);
        await expectView(page, 'payer');
        await submitForm(page, 'payer', { [name]: wrong });
        await page.locator(`#${name}-error.error`).waitFor();
        expect(await page.locator(`[name=${name}]`).inputValue()).toBe(wrong);
        await submitForm(page, 'payer', { [name]: right });
        await expectView(page, 'pay');
        const { width = 0 } = (await page.locator('.qr > svg').boundingBox()) ?? {};
        expect(width).toBeGreaterThanOrEqual(200);
        expect(await page.locator('.qr + dl').innerText()).toContain(
          accountOf(shop, walletType).accountTitle,
        );
        const picture = await context.request.get(
          await page
            .locator('.qr a[download]')
            .evaluate((link) => (link as unknown as { href: string }).href),
        );
        expect(picture.headers()['content-type']).toBe('image/png');
        expect((await picture.body()).subarray(1, 4).toString()).toBe('PNG');
        await submitForm(page, 'check');
        await expectView(page, 'check');
        await submitForm(page, 'confirm');
        await expectView(page, 'verifying');
      }),
  );

  test('cancelled by the customer: back to failureUrl', () =>
    customer(async ({ page }) => {
      const made = await order();
      await openLink(page, made, javaScriptEnabled);
      await expectView(page, 'pay');
      await page.locator('details:has(form[action*="/cancel?"]) summary').click();
      await submitForm(page, 'cancel');
      await expectView(page, 'cancelled');
      expectReturn(
        await page.locator('[data-return]').getAttribute('href'),
        RETURNS.failureUrl,
        made,
        'CancelledAuto',
      );
    }));

  test('rejected by the member: back to failureUrl, without the member’s words', () =>
    customer(async ({ page }) => {
      const made = await order();
      await openLink(page, made, javaScriptEnabled);
      await pay(page);
      await memberDoes(shop, 'reject', made);
      await changeShown(page);
      await expectView(page, 'rejected');
      expect(await page.content()).not.toContain('words for the operator');
      expectReturn(
        await page.locator('[data-return]').getAttribute('href'),
        RETURNS.failureUrl,
        made,
        'Rejected',
      );
    }));

  test('in review after the payment, and completed from there', () =>
    customer(async ({ page }) => {
      const made = await order();
      await openLink(page, made, javaScriptEnabled);
      await pay(page);
      await operatorDoes(shop, 'escalate', made);
      await changeShown(page);
      await expectView(page, 'review');
      await operatorDoes(shop, 'resolve', made);
      await changeShown(page);
      await expectView(page, 'completed');
    }));

  test('a withdrawal without a name or number: both errors beside their fields; waiting while nobody is there; failed', () =>
    customer(async ({ page }) => {
      const made = await withdrawal();
      await openLink(page, made, javaScriptEnabled);
      await page
        .locator('form[action*="/check?"]')
        .evaluate((form) => form.setAttribute('novalidate', ''));
      await submitForm(page, 'check', { accountNumber: '', accountName: '' });
      for (const name of ['accountNumber', 'accountName'])
        await page.locator(`#${name}-error.error`).waitFor();
      await whileAway(shop, async () => {
        await submitForm(page, 'check', { accountNumber: '03009876543', accountName: 'عائشہ خان' });
        await expectView(page, 'check');
        await submitForm(page, 'account');
        await expectView(page, 'waiting');
        for (const text of ['1,500.50', '6543'])
          expect(await page.locator('main dl').innerText()).toContain(text);
      });
      await expect.poll(() => statusOf(made)).toBe('AwaitingMemberPayout');
      await changeShown(page);
      await expectView(page, 'on-its-way');
      await memberDoes(shop, 'reject', made);
      await changeShown(page);
      await expectView(page, 'failed');
    }));

  test('the link expires while the page is open: it asks whether money was sent, with the digits that were typed; the claim is shown again', () =>
    customer(async ({ page }) => {
      const made = await order();
      await openLink(page, made, javaScriptEnabled);
      await expectView(page, 'pay');
      const typed = page.locator('[name=transactionDigits]');
      await unfold(page, typed);
      await typed.fill('4711');
      await advance(shop.service, 900);
      if (javaScriptEnabled) await page.clock.runFor(10_000);
      else await submitForm(page, 'check');
      await page.locator('.card.expired, .card.link-expired').waitFor();
      const digits = page.locator('form[action*="/claim?"] [name=transactionDigits]');
      expect(await digits.inputValue()).toBe('4711');
      await submitForm(page, 'claim');
      await expectClaimed(page, '4711');
      expect(page.url()).toBe(made.paymentPageUrl);
      await expectView(page, 'link-expired');
      // A customer who has paid is not asked to start again.
      expect(await page.locator('main').innerText()).toContain('do not pay again');
      expect(await page.locator('main').innerText()).not.toContain('start again');
      await page.locator('.claim summary').click();
      await submitForm(page, 'claim', { transactionDigits: '4712' });
      await expectClaimed(page, '4712');
      expect(await statusOf(made)).toBe('Expired');
    }));

  test('cancelled while the customer pays: the page asks first, and the digits can be left at once', () =>
    customer(async ({ page }) => {
      const made = await order();
      await openLink(page, made, javaScriptEnabled);
      await expectView(page, 'pay');
      await operatorDoes(shop, 'cancel', made);
      await later(page);
      await expectView(page, 'cancelled');
      await page.locator('details.answer > summary').click();
      await submitForm(page, 'claim', { transactionDigits: '12' });
      await expectView(page, 'cancelled');
      await page.locator('#claimDigits-error').waitFor();
      await submitForm(page, 'claim', { transactionDigits: '4711' });
      await expectClaimed(page, '4711');
      expect(page.url()).toBe(made.paymentPageUrl);
      await expectView(page, 'cancelled');
    }));

  test('rejected: the digits that were given are named, and others are asked for', () =>
    customer(async ({ page }) => {
      const made = await order();
      await openLink(page, made, javaScriptEnabled);
      await submitForm(page, 'check', { transactionDigits: '4711' });
      await submitForm(page, 'confirm');
      await memberDoes(shop, 'reject', made);
      await changeShown(page);
      await expectView(page, 'rejected');
      const digits = page.locator('form[action*="/claim?"] [name=transactionDigits]');
      expect([await digits.isVisible(), await digits.inputValue()]).toEqual([true, '']);
      const said = (await page.locator('.answer').innerText()).replace(/[\u2066-\u2069]/g, '');
      expect(said).toContain('No payment was found by the digits 4711.');
    }));

  test('the account that a QR payer gave is shown before the last button, and put right where it is wrong', () =>
    customer(async ({ page }) => {
      const made = await order({ walletType: 'ProviderAQR' });
      await openLink(page, made, javaScriptEnabled);
      await submitForm(page, 'payer', { accountNumber: '03001234567' });
      await expectView(page, 'pay');
      await submitForm(page, 'payer', { accountNumber: '12' });
      await page.locator('#accountNumber-error.error').waitFor();
      expect(await page.locator('#accountNumber').inputValue()).toBe('12');
      await submitForm(page, 'payer', { accountNumber: '0300 1234568' });
      await page.locator('summary', { hasText: '03001234568' }).waitFor();
      await submitForm(page, 'check');
      await expectView(page, 'check');
      expect(await page.locator('main dl').innerText()).toContain('03001234568');
    }));
});

describe('what was typed', () => {
  /** The field for the digits, open and with these in it. */
  async function typed(page: Page, digits: string): Promise<Locator> {
    const field = page.locator('[name=transactionDigits]');
    await unfold(page, field);
    await field.fill(digits);
    return field;
  }

  test('outlives another language, from the last check too, and a page that loads itself again', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      const field = await typed(page, '47');
      const read = async (language: string) => {
        await unfold(page, page.locator('nav.languages'));
        await page.locator(`nav.languages a[lang=${language}]`).click();
        await page.locator(`html[lang=${language}] main[data-view=pay]`).waitFor();
        await expect.poll(() => field.isVisible()).toBe(true);
        return field.inputValue();
      };
      expect(await read('ur')).toBe('47');
      await submitForm(page, 'check', { transactionDigits: '4711' });
      await expectView(page, 'check');
      expect(await read('hi')).toBe('4711');
      await operatorDoes(shop, 'cancel', made);
      await page.clock.runFor(10_000);
      await expectView(page, 'cancelled');
      expect(await field.inputValue()).toBe('4711');
    }));

  test('is not there again once it was sent', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await typed(page, '4711');
      await submitForm(page, 'check');
      await submitForm(page, 'confirm');
      await expectView(page, 'verifying');
      await memberDoes(shop, 'reject', made);
      await expectView(page, 'rejected');
      expect(await page.locator('[name=transactionDigits]').inputValue()).toBe('');
    }));
});

describe('a page whose customer may have paid', () => {
  /** An open page whose time is up, and whether it has left for the shop. */
  async function timeIsUp(page: Page) {
    const made = await order();
    await page.goto(made.paymentPageUrl);
    await expectView(page, 'pay');
    await advance(shop.service, 900);
    await page.clock.runFor(10_000);
    await page.locator('.card.expired').waitFor();
    // What is asked for comes later: the page itself knows at once.
    await page.evaluate('window.left = false; navigation.onnavigate = () => { left = true; }');
    return {
      made,
      hasLeft: () => page.evaluate('window.left'),
      leaves: () =>
        page.waitForRequest((request) => request.url().startsWith('https://shop.example/failed')),
    };
  }

  test.each([
    ['touch', (page: Page) => page.locator('h1').click()],
    [
      'step of a screen reader',
      (page: Page) =>
        page.evaluate(`document.querySelector('[data-return]').focus({ preventScroll: true })`),
    ],
  ])('leaves for the shop after a minute, which each %s begins again', (_what, touch) =>
    // So high that nothing scrolls, which is a touch too.
    asCustomer(browser, { viewport: { width: 360, height: 1600 } }, async ({ page }) => {
      const { made, hasLeft, leaves } = await timeIsUp(page);
      await page.clock.runFor(50_000);
      await touch(page);
      await page.clock.runFor(50_000);
      expect(await hasLeft()).toBe(false);
      const taken = leaves();
      await page.clock.runFor(10_000);
      expectReturn((await taken).url(), RETURNS.failureUrl, made, 'Expired');
    }),
  );

  test('does not leave while the customer looks into another app: the minute begins when they are back', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const { hasLeft, leaves } = await timeIsUp(page);
      await page.clock.runFor(50_000);
      await putAway(page, true);
      await page.clock.runFor(600_000);
      await putAway(page, false);
      await page.clock.runFor(50_000);
      expect(await hasLeft()).toBe(false);
      const taken = leaves();
      await page.clock.runFor(10_000);
      await taken;
    }));

  test('does not leave, and says no more that it will, once the customer has begun to answer', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const { hasLeft } = await timeIsUp(page);
      expect(await page.locator('[data-returning]').isVisible()).toBe(true);
      await page.locator('.answer > summary').click();
      await page.locator('[name=transactionDigits]').fill('47');
      await page.clock.runFor(600_000);
      expect(await hasLeft()).toBe(false);
      expect(await page.locator('[data-returning]').isVisible()).toBe(false);
    }));

  test.each(['pay', 'check'] as const)(
    'without a script, the %s screen is loaded again, as the link that has expired',
    (screen) =>
      asCustomer(browser, { javaScriptEnabled: false }, async ({ page }) => {
        const made = await order();
        await openPage(made).data('open');
        await advance(shop.service, 897);
        await page.goto(made.paymentPageUrl);
        if (screen === 'check') await submitForm(page, 'check', { transactionDigits: '4711' });
        await expectView(page, screen);
        await advance(shop.service, 4);
        await expectView(page, 'link-expired');
        expect(await page.locator('[name=transactionDigits]').count()).toBe(1);
      }),
  );

  test('says in the last two minutes not to start a transfer', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      const warning = page.locator('[data-last]');
      expect(await warning.isVisible()).toBe(false);
      await advance(shop.service, 781);
      await page.clock.runFor(10_000);
      // The page looks at the order again, and counts from the answer.
      const seen = async () => {
        await page.clock.runFor(1_000);
        return warning.isVisible();
      };
      await expect.poll(seen).toBe(true);
      // Of a phone that has slept, no milestone is said that has long gone by.
      expect(await page.locator('[data-announce]').textContent()).not.toContain('5 minutes');
    }));

  test.each([
    [
      'forbids the clipboard',
      `navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`,
    ],
    ['has none', `Object.defineProperty(navigator, 'clipboard', { value: undefined })`],
    ['has one', ''],
  ])('copies in a browser that %s, and says so only of what the clipboard has', (_which, unlike) =>
    asCustomer(browser, {}, async ({ page }) => {
      await page.addInitScript(unlike);
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await page.locator('.sum [data-copy]').click();
      await page.locator('.sum [data-copy].done').waitFor();
      const account = page.locator('.marked [data-copy]');
      await account.click();
      await page.locator('.marked [data-copy].done').waitFor();
      expect(await page.locator('[data-copy].done').count()).toBe(1);
      expect(await page.locator('main [data-copy]').allInnerTexts()).toEqual([
        'Copy',
        'Copied',
        'Copy',
      ]);
      const { accountNumber } = accountOf(shop, 'ProviderA');
      const pasted = page.locator('[name=transactionDigits]');
      await unfold(page, pasted);
      await pasted.focus();
      await page.keyboard.press('Control+V');
      // The account to pay to is no transaction ID.
      await page.locator('#transactionDigits-error').waitFor();
      expect(await pasted.inputValue()).toBe(accountNumber);
    }),
  );

  test('says what to do to a customer who sent another amount, or cannot find the transaction ID', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      const doubts = page.locator('.doubts');
      const said = async () => {
        await doubts.locator('summary').click();
        return doubts.innerText();
      };
      expect(await said()).toMatch(/another amount.*transaction ID.*pending/s);
      await submitForm(page, 'check', { transactionDigits: '4711' });
      await expectView(page, 'check');
      expect(await said()).toMatch(/another amount.*pending/s);
    }));

  const digits = (page: Page) => page.locator('input[type=text][name=transactionDigits]');
  const entered = (page: Page) =>
    page.locator('input[type=hidden][name=transactionDigits]').first().inputValue();
  /** As the keyboard's clipboard enters it; without a script the button reads it. */
  async function paste(page: Page, text: string, javaScriptEnabled = true) {
    await unfold(page, digits(page));
    await digits(page).focus();
    await page.keyboard.insertText(text);
    if (!javaScriptEnabled) await submitForm(page, 'check');
  }

  test.each([true, false])(
    'reads the last digits of a pasted message back, never a date, a balance or a fee (script: %s)',
    (javaScriptEnabled) =>
      asCustomer(browser, { javaScriptEnabled }, async ({ page }) => {
        const made = await order();
        await openLink(page, made, javaScriptEnabled);
        await expectView(page, 'pay');
        for (const [message, last] of MESSAGES) {
          await paste(page, message, javaScriptEnabled);
          await expectView(page, 'check');
          expect(await entered(page), message).toBe(last);
          await page.locator('form[action*="/check?"] button').click();
          await expectView(page, 'pay');
          expect(await digits(page).inputValue()).toBe(last);
          await digits(page).fill('');
        }
      }),
  );

  test.each([true, false])(
    'asks which of two transaction IDs is meant, and says where there is none (script: %s)',
    (javaScriptEnabled) =>
      asCustomer(browser, { javaScriptEnabled }, async ({ page }) => {
        const made = await order();
        await openLink(page, made, javaScriptEnabled);
        await expectView(page, 'pay');
        await paste(page, UNNAMED, javaScriptEnabled);
        await page.getByText('No transaction ID was found in this text.').waitFor();
        await page.waitForLoadState();
        expect(await digits(page).inputValue()).toBe('');
        await paste(page, QUOTING, javaScriptEnabled);
        await page.getByText('Which one is of this payment?').waitFor();
        await page.getByRole('button', { name: 'DCK1B9P81H' }).click();
        await expectView(page, 'check');
        expect(await entered(page)).toBe('1981');
        await submitForm(page, 'confirm');
        await expectView(page, 'verifying');
      }),
  );

  test.each([
    ['TX-0012 3456 7890', '7890'],
    ['۱۲۳۴۵۶۷۸', '5678'],
    ['১২৩৪৫৬৭৮', '5678'],
    ['BFD9KRC2ZA', '0092'],
  ])('takes the last digits of %s that arrives at once, and says which', (whole, last) =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await unfold(page, digits(page));
      await digits(page).focus();
      // What is typed key by key stays as it is typed.
      await page.keyboard.type('123456');
      expect(await digits(page).inputValue()).toBe('123456');
      await digits(page).fill('');
      await page.keyboard.insertText(whole);
      await expectView(page, 'check');
      expect(await entered(page)).toBe(last);
      expect(await page.locator('section.check').innerText()).toMatch(
        new RegExp(`only the last 4 digits count: \\u2066?${last}`, 'i'),
      );
    }),
  );
});

test('the language is chosen by the browser, switched by a link, and remembered for this link only', () =>
  asCustomer(browser, { locale: 'hi-IN' }, async ({ page }) => {
    const [one, other] = [await order(), await order()];
    const language = () => page.locator('html').getAttribute('lang');
    await page.goto(one.paymentPageUrl);
    await expectView(page, 'pay');
    expect(await language()).toBe('hi');
    await unfold(page, page.locator('nav.languages'));
    await page.locator('nav.languages a[lang=ur]').click();
    await page.locator('html[lang=ur][dir=rtl]').waitFor();
    await submitForm(page, 'check', { transactionDigits: '1' });
    await page.locator('html[lang=ur] #transactionDigits-error').waitFor();
    await page.goto(one.paymentPageUrl);
    expect(await language()).toBe('ur');
    await page.goto(other.paymentPageUrl);
    expect(await language()).toBe('hi');
  }));
