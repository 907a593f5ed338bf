import { expect, test } from 'vitest';
import { LONG_NAME, READ_OFF } from '../../support/accounts-read-off.ts';
import { createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { expectAccessible, expectLanguage } from '../checks.ts';
import { expectReadable, setTextSize } from '../read-off.ts';
import { asCustomer, expectView } from './customer.ts';
import { memberDoes, openShop } from './shop.ts';

/** The page for people who have set large text in their phone or browser. */

const shop = await openShop();
const browser = await sharedBrowser();
const displayNames = { providers: { ProviderA: 'Easypaisa', ProviderB: 'JazzCash' } };
const operator = operatorClient(shop.service);
expect((await operator.patch('/settings', { displayNames })).status).toBe(200);
for (const currency of ['INR', 'BDT'])
  expect((await operator.post('/exchange-rates', { currency, rate: 3 })).status).toBe(200);
const bazaar = await createMerchant(shop.service, {
  name: 'Corner Shop',
  currencies: ['INR', 'BDT'],
});
const renamed = await shop.service.database.pool.query(
  `update member_accounts set account_number = $1, account_title = $2 where wallet_type = 'TillID'`,
  [READ_OFF.upi, LONG_NAME],
);
expect(renamed.rowCount).toBe(1);

test.each([
  ['INR', 'hi'],
  ['INR', 'en'],
  ['BDT', 'bn'],
] as const)('what is read off is whole at every size, in %s and %s', (currency, language) =>
  asCustomer(browser, { locale: language }, async ({ page }) => {
    // The most digits that an amount of a customer is likely to have.
    const order = await createOrder(bazaar, { currency, walletType: 'TillID', amount: 12_345.5 });
    await page.goto(order.paymentPageUrl);
    await expectView(page, 'pay');
    await page.clock.resume(); // what is measured waits for frames
    await expectReadable(page, 'pay');
    await openPage(order).data('confirm', { transactionDigits: '1234' });
    await page.reload();
    await expectView(page, 'verifying');
    await expectReadable(page, 'verifying');
    await memberDoes(shop, 'confirm', order);
    await page.reload();
    await expectView(page, 'completed');
    await expectReadable(page, 'completed');
    await expectLanguage(page, language);
  }),
);

test.each(['light', 'dark'] as const)('large text in %s is accessible', (theme) =>
  asCustomer(browser, { colorScheme: theme }, async ({ page }) => {
    await setTextSize(page, 200);
    await page.goto((await shop.order()).paymentPageUrl);
    await expectView(page, 'pay');
    await page.clock.resume(); // axe has timers
    await expectAccessible(page, [theme]);
  }),
);
