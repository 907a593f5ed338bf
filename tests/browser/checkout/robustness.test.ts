import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { advance, type CreatedOrder } from '../../support/fixtures.ts';
import { openPage } from '../../support/page-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { asCustomer, expectView, putAway, submitForm } from './customer.ts';
import { memberDoes, NOBODY_TAKES, openShop, operatorDoes } from './shop.ts';

const shop = await openShop();
const browser = await sharedBrowser();

const { order, statusOf } = shop;
const confirms = async ({ orderId }: CreatedOrder) => {
  const { rows } = await shop.service.database.pool.query(
    `select trigger from order_moves where order_id = $1 and trigger = 'customer-confirmed'`,
    [orderId],
  );
  return rows.length;
};

/** An order whose page stands before the last button. */
async function toLastCheck(page: Page): Promise<CreatedOrder> {
  const made = await order();
  await page.goto(made.paymentPageUrl);
  await expectView(page, 'pay');
  await submitForm(page, 'check', { transactionDigits: '1234' });
  await expectView(page, 'check');
  return made;
}

describe('the network', () => {
  test('is cut before the confirmation leaves: nothing has happened, and it is sent again', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await toLastCheck(page);
      await page.route('**/confirm?*', (route) => route.abort('internetdisconnected'), {
        times: 1,
      });
      await submitForm(page, 'confirm');
      await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
      expect(await statusOf(made)).toBe('AwaitingCustomerPayment');
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await submitForm(page, 'check', { transactionDigits: '1234' });
      await submitForm(page, 'confirm');
      await expectView(page, 'verifying');
      expect(await confirms(made)).toBe(1);
    }));

  test('is cut after the confirmation has arrived: the page shows it, and a second one changes nothing', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await toLastCheck(page);
      await page.route(
        '**/confirm?*',
        async (route) => {
          await route.fetch({ maxRedirects: 0 });
          await route.abort('connectionreset');
        },
        { times: 1 },
      );
      await submitForm(page, 'confirm');
      await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'verifying');
      expect((await openPage(made).post('confirm', { transactionDigits: '9999' })).status).toBe(
        200,
      );
      expect(await confirms(made)).toBe(1);
    }));

  test('is away while the page is open: it says so once, looks at once when it is back, and takes the words back', () =>
    asCustomer(browser, {}, async ({ page, context }) => {
      const made = await order({ amount: NOBODY_TAKES });
      await Promise.all([page.waitForResponse('**/open?*'), page.goto(made.paymentPageUrl)]);
      await page.evaluate(`window.said = []; new MutationObserver(() => window.said.push(document.querySelector('[data-announce]').textContent))
        .observe(document.querySelector('[data-announce]'), { childList: true, characterData: true, subtree: true })`);
      await context.setOffline(true);
      await page.locator('[data-announce]', { hasText: 'nothing is lost' }).waitFor();
      for (const _pass of [1, 2, 3]) {
        const failed = page.waitForEvent('requestfailed');
        await page.clock.runFor(10_000);
        await failed;
      }
      await context.setOffline(false);
      await page.locator('[data-announce]:empty').waitFor({ state: 'attached' });
      const said = await page.evaluate<string[]>('window.said');
      expect([said.length, said[1]]).toEqual([2, '']);
    }));

  test('is away when a form is sent: it waits, says so, and goes out by itself once', () =>
    asCustomer(browser, {}, async ({ page, context }) => {
      const made = await toLastCheck(page);
      await context.setOffline(true);
      for (const _press of [1, 2])
        await page.getByRole('button', { name: 'Yes, I have paid' }).click();
      await page.getByText('What you sent goes out by itself').waitFor();
      expect(await statusOf(made)).toBe('AwaitingCustomerPayment');
      await context.setOffline(false);
      await expectView(page, 'verifying');
      expect(await confirms(made)).toBe(1);
    }));

  test('takes a form away unheard: what was typed is there when the customer comes back', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await page.route('**/check?*', (route) => route.abort('internetdisconnected'), { times: 1 });
      await submitForm(page, 'check', { transactionDigits: '1234' });
      await expect.poll(() => page.url()).toMatch(/^chrome-error:/);
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      expect(await page.locator('[name=transactionDigits]').inputValue()).toBe('1234');
      // Of what arrived nothing is filled in again.
      await Promise.all([page.waitForEvent('load'), submitForm(page, 'method')]);
      await expectView(page, 'pay');
      expect(await page.locator('[name=transactionDigits]').inputValue()).toBe('');
    }));

  test('has lost a request while the phone slept: the page looks at once when it is taken out', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await page.route('**/state?*', () => {}, { times: 1 });
      const asked = page.waitForRequest('**/state?*');
      await page.clock.runFor(10_000);
      await asked;
      await operatorDoes(shop, 'cancel', made);
      await putAway(page, true);
      await putAway(page, false);
      await expectView(page, 'cancelled');
    }));

  test('is slow: 2G with a second of delay shows the account and takes the confirmation', () =>
    asCustomer(browser, {}, async ({ page, context }) => {
      const made = await order();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 800,
        downloadThroughput: 31_250,
        uploadThroughput: 12_500,
      });
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await submitForm(page, 'check', { transactionDigits: '1234' });
      await submitForm(page, 'confirm');
      await expectView(page, 'verifying');
    }));
});

describe('an order stays Queued', () => {
  const openings = async ({ orderId }: CreatedOrder) =>
    (
      await shop.service.database.pool.query(
        `select 1 from order_moves where order_id = $1 and trigger = 'customer-opened-page'`,
        [orderId],
      )
    ).rows.length;

  test('while its page is not seen, nor for two seconds after that, though it shows whom to pay and how much', () =>
    asCustomer(browser, { looksOnly: true }, async ({ page }) => {
      const made = await order();
      await page.addInitScript(
        `for (const [name, value] of [['hidden', true], ['visibilityState', 'hidden']])
           Object.defineProperty(document, name, { configurable: true, value });`,
      );
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'waiting');
      await page.locator('.amount').waitFor();
      await page.clock.runFor(60_000); // a preview that renders the page for a minute
      await putAway(page, false);
      await page.clock.runFor(1_900);
      await putAway(page, true);
      await putAway(page, false);
      await page.clock.runFor(1_900);
      expect([await statusOf(made), await openings(made)]).toEqual(['Queued', 0]);
      await page.clock.runFor(200);
      await expectView(page, 'pay');
      expect(await openings(made)).toBe(1);
    }));

  test.each(['tap', 'click', 'key'] as const)(
    'until its customer acts on the page: by a %s',
    (by) =>
      asCustomer(browser, { looksOnly: true }, async ({ page }) => {
        const made = await order();
        await page.goto(made.paymentPageUrl);
        await expectView(page, 'waiting');
        await page.clock.runFor(1_000);
        expect(await statusOf(made)).toBe('Queued');
        if (by === 'key') await page.keyboard.press('Tab');
        else await page.locator('h1')[by]();
        await expectView(page, 'pay');
      }),
  );

  test('until its button is pressed, which opens it once', () =>
    asCustomer(browser, { looksOnly: true }, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await submitForm(page, 'open');
      await expectView(page, 'pay');
      expect(await openings(made)).toBe(1);
    }));
});

test('a browser of 2017 counts down, and looks again after a request that was never answered', () =>
  asCustomer(browser, {}, async ({ page, seen }) => {
    await page.addInitScript(
      'delete window.AbortController; delete window.AbortSignal; delete String.prototype.padStart;',
    );
    const made = await order();
    await openPage(made).data('open');
    await page.goto(made.paymentPageUrl);
    await expectView(page, 'pay');
    expect(await page.locator('[data-countdown]').innerText()).toMatch(/^1[45]:[0-5]\d$/);
    expect(await page.locator('.deadline time').isVisible()).toBe(false);
    await page.route('**/state?*', () => {}, { times: 1 });
    const asked = page.waitForRequest('**/state?*');
    await page.clock.runFor(10_000);
    await asked;
    await operatorDoes(shop, 'cancel', made);
    await page.clock.runFor(20_000);
    await expectView(page, 'cancelled');
    expect(seen.complaints).toEqual([]);
  }));

describe('one order, once', () => {
  test.each([true, false])(
    'a double tap on the last button confirms once, JavaScript %s',
    (javaScriptEnabled) =>
      asCustomer(browser, { javaScriptEnabled }, async ({ page }) => {
        const made = await order();
        await openPage(made).data('open');
        await page.goto(made.paymentPageUrl);
        await submitForm(page, 'check', { transactionDigits: '1234' });
        await page.locator('form[action*="/confirm?"] button').dblclick();
        await expectView(page, 'verifying');
        expect(await confirms(made)).toBe(1);
      }),
  );

  test('a form whose sending was stopped is sent by the same button seconds later, and not before', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await toLastCheck(page);
      const confirmations: string[] = [];
      await page.route('**/confirm?*', (route) => {
        confirmations.push(route.request().url());
        // As after "Stop", the browser stays where it is.
        return confirmations.length > 1 ? route.continue() : route.fulfill({ status: 204 });
      });
      const button = page.locator('form[action*="/confirm?"] button');
      await button.click();
      await expect.poll(() => confirmations.length).toBe(1);
      await button.click();
      await page.clock.runFor(7_000);
      expect(confirmations.length).toBe(1);
      await page.clock.runFor(1_000);
      await button.click();
      await expectView(page, 'verifying');
      expect(await confirms(made)).toBe(1);
    }));

  test('two tabs: one confirms, the other shows it; other digits are not taken in silence', () =>
    asCustomer(browser, {}, async ({ page, context }) => {
      const made = await toLastCheck(page);
      const other = await context.newPage();
      await other.clock.install();
      await other.goto(made.paymentPageUrl);
      await expectView(other, 'pay');
      const third = await context.newPage();
      await third.route('**/state?*', () => {});
      await third.goto(made.paymentPageUrl);
      await submitForm(third, 'check', { transactionDigits: '9876' });
      await expectView(third, 'check');
      await submitForm(page, 'confirm');
      await expectView(page, 'verifying');
      await other.clock.runFor(10_000);
      await expectView(other, 'verifying');
      await submitForm(third, 'confirm');
      await expectView(third, 'verifying');
      expect(await third.locator('[role=alert]').innerText()).toContain('can no longer be done');
      expect(await confirms(made)).toBe(1);
    }));

  test('two tabs: one cancels, the other shows it and confirms nothing', () =>
    asCustomer(browser, {}, async ({ page, context }) => {
      const made = await toLastCheck(page);
      // This tab has not looked yet.
      await page.route('**/state?*', () => {});
      const other = await context.newPage();
      await other.goto(made.paymentPageUrl);
      await other.locator('details:has(form[action*="/cancel?"]) summary').click();
      await submitForm(other, 'cancel');
      await expectView(other, 'cancelled');
      await submitForm(page, 'confirm');
      await expectView(page, 'cancelled');
      expect([await statusOf(made), await confirms(made)]).toEqual(['CancelledAuto', 0]);
    }));

  test.each([true, false])(
    'back after confirming: from the cache, never an error page, and what is confirmed stays so, JavaScript %s',
    async (javaScriptEnabled) => {
      // No route, which would take the cache away, and with it what the browser does here.
      const context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      const made = await order();
      await openPage(made).data('open');
      await page.goto(made.paymentPageUrl);
      await submitForm(page, 'check', { transactionDigits: '1234' });
      await expectView(page, 'check');
      await submitForm(page, 'confirm');
      await expectView(page, 'verifying');
      await page.goBack();
      if (!javaScriptEnabled) {
        await expectView(page, 'check');
        await submitForm(page, 'confirm');
      }
      await expectView(page, 'verifying');
      expect(await confirms(made)).toBe(1);
      await context.close();
    },
  );

  test('back after cancelling shows the cancelled order', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await page.locator('details:has(form[action*="/cancel?"]) summary').click();
      await submitForm(page, 'cancel');
      await expectView(page, 'cancelled');
      await page.goto(`${made.paymentPageUrl}&lang=en`);
      await page.goBack();
      await expectView(page, 'cancelled');
      expect(await statusOf(made)).toBe('CancelledAuto');
    }));

  test('a reload at every step shows the same step and does nothing again', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order({ walletType: 'BankAccount' });
      const reloaded = async (view: string) => {
        await page.reload();
        await expectView(page, view);
        await page.goto(made.paymentPageUrl);
      };
      await page.goto(made.paymentPageUrl);
      await reloaded('methods');
      await page.locator('[name=walletType][value=ProviderAQR]').click();
      await expectView(page, 'payer');
      await reloaded('payer');
      await submitForm(page, 'payer', { accountNumber: '03001234567' });
      await expectView(page, 'pay');
      await reloaded('pay');
      await submitForm(page, 'check');
      await expectView(page, 'check');
      await reloaded('check');
      await submitForm(page, 'check');
      await submitForm(page, 'confirm');
      await expectView(page, 'verifying');
      await reloaded('verifying');
      await memberDoes(shop, 'confirm', made);
      // The page comes there by itself; a reload of ours meanwhile would end in neither.
      await expectView(page, 'completed');
      await reloaded('completed');
      expect(await confirms(made)).toBe(1);
    }));
});

describe('the time', () => {
  test('confirmed at 14:59: the outcome is shown after the link has expired', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await advance(shop.service, 895);
      await submitForm(page, 'check', { transactionDigits: '1234' });
      await submitForm(page, 'confirm');
      await expectView(page, 'verifying');
      await advance(shop.service, 60);
      await page.reload();
      await expectView(page, 'verifying');
      await memberDoes(shop, 'confirm', made);
      await page.clock.runFor(10_000);
      await expectView(page, 'completed');
    }));

  test('goes on while the phone sleeps: it wakes with the minutes that are left', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await order();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await page.route('**/state?*', () => {});
      const countdown = page.locator('[data-countdown]');
      expect(await countdown.textContent()).toMatch(/^1[45]:/);
      // No timer runs, and of the browser's two clocks the one that counts stands still.
      await page.clock.setSystemTime((await page.evaluate<number>('Date.now()')) + 600_000);
      await page.clock.runFor(1_000);
      expect(await countdown.textContent()).toMatch(/^[45]:/);
    }));

  test.each([-5, 5])(
    'counts down by the server’s clock on a phone that is %i hours wrong, and announces only milestones to a screen reader',
    (hours) =>
      asCustomer(browser, {}, async ({ page }) => {
        await page.clock.setSystemTime(Date.now() + hours * 3_600_000);
        const made = await order();
        await openPage(made).data('open');
        await page.goto(made.paymentPageUrl);
        const countdown = page.locator('[data-countdown]');
        expect(await countdown.textContent()).toMatch(/^14:5\d$|^15:00$/);
        expect(
          await countdown.evaluate((element) =>
            element.closest('[aria-live]') === null ? element.getAttribute('aria-hidden') : 'live',
          ),
        ).toBe('true');
        await page.evaluate(`window.said = []; new MutationObserver(() => window.said.push(document.querySelector('[data-announce]').textContent))
        .observe(document.querySelector('[data-announce]'), { childList: true, characterData: true, subtree: true })`);
        // Looking again would set what is left by the server, whose clock does not run on.
        await page.route('**/state?*', () => {});
        for (let minute = 0; minute < 15; minute += 1) await page.clock.runFor(60_000);
        expect(await countdown.textContent()).toBe('0:00');
        const said = await page.evaluate<string[]>('window.said');
        const milestones = said.filter((text) => text !== '' && !text.includes('nothing is lost'));
        expect(milestones).toEqual(['5 minutes left.', 'One minute left.', 'The time is up.']);
      }),
  );
});
