import { describe, expect } from 'vitest';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What the page calls things: by the country that pays, and by the names that operators set. */

const { test, service } = await serviceTest();
for (const currency of ['INR', 'BDT'])
  await operatorClient(service).post('/exchange-rates', { currency, rate: 3 });
const merchant = await createMerchant(service, {
  currencies: ['PKR', 'INR', 'BDT'],
  balance: '100000',
});
await createMember(service, { float: '10000000', maxOpenOrders: 1000 });

const LANGUAGES = ['en', 'ur', 'hi', 'bn'] as const;

/** The page as it is drawn in a language: the customer has opened it. */
async function drawn(currency: string, walletType: string, language: string): Promise<string> {
  const order = await createOrder(merchant, { currency, walletType, amount: 150_000 });
  await openPage(order).data('open');
  const inLanguage = { paymentPageUrl: `${order.paymentPageUrl}&lang=${language}` };
  return (await openPage(inLanguage).get()).text;
}

describe.each(LANGUAGES)('in %s', (language) => {
  test.each([
    ['TillID', /UPI|यूपीआई|یو پی آئی|ইউপিআই/],
    ['ProviderA', /₹1,50,000/],
    ['ProviderBQR', /₹1,50,000/],
  ])('%s in INR speaks of rupees and UPI, never of IBAN and Till ID', async (walletType, said) => {
    // Urdu groups by thousands; it is no language of our customers in India.
    const text = (await drawn('INR', walletType, language)).replace('₹150,000', '₹1,50,000');
    expect(text).toMatch(said);
    expect(text).not.toMatch(/IBAN|Till ID|टिल|ٹِل|টিল|INR/);
  });

  test.each(['ProviderBQR', 'TillID'])(
    '%s in PKR speaks of IBAN and Till ID',
    async (walletType) => {
      expect(await drawn('PKR', walletType, language)).toMatch(/IBAN|Till ID|टिल|ٹِل|টিল/);
    },
  );

  test('no account in BDT is asked for an IBAN', async () => {
    expect(await drawn('BDT', 'ProviderBQR', language)).not.toContain('IBAN');
  });
});

test('a method that the operator has named keeps its name alone, in no sentence that would bend it', async () => {
  await service.database.pool.query(
    `update settings set display_names = '{"methods": {"ProviderA": "Pay fast"}, "providers": {}}'`,
  );
  expect(await drawn('PKR', 'ProviderA', 'hi')).toContain('<dt>Pay fast</dt>');
});

/** The steps of a method whose own name, or provider's, is this. */
async function stepsIn(language: string, walletType: string, names: object): Promise<string> {
  await service.database.pool.query('update settings set display_names = $1', [
    JSON.stringify({ methods: {}, providers: {}, ...names }),
  ]);
  const [, list = ''] = /<ol>(.*?)<\/ol>/s.exec(await drawn('PKR', walletType, language)) ?? [];
  return list.replace(/[\u2066-\u2069]/g, '');
}

describe('how to pay', () => {
  test.each([
    ['en', 'Open your Easypaisa app and choose “Send Money”.'],
    ['ur', 'اپنی Easypaisa ایپ کھولیں اور “Send Money” چنیں۔'],
    ['hi', 'अपना Easypaisa ऐप खोलें और “Send Money” चुनें।'],
    ['bn', 'আপনার Easypaisa অ্যাপ খুলে “Send Money” (সেন্ড মানি) বেছে নিন।'],
  ])('names the app in %s, and what its menu says where that is known', async (language, said) => {
    const names = { providers: { ProviderA: 'Easypaisa' } };
    expect(await stepsIn(language, 'ProviderA', names)).toContain(said);
    expect(await stepsIn(language, 'ProviderATillID', names)).not.toContain('Send Money');
  });

  test('names the app of the method’s own name, and no menu that is not known', async () => {
    const own = { providers: { ProviderA: 'Easypaisa' }, methods: { ProviderA: 'SadaPay fast' } };
    const steps = await stepsIn('en', 'ProviderA', own);
    expect(steps).toContain('Open your SadaPay app and choose to send money.');
    expect(steps).not.toMatch(/Easypaisa|Send Money/);
  });
});

describe('the account of a withdrawal', () => {
  const withdrawal = (walletType: string) =>
    createOrder(merchant, { orderType: 'Withdrawal', walletType, amount: 100 });
  const holder = { accountName: 'Ayesha Khan' };

  test('that looks wrong is a warning of /check and of the page, and may be sent all the same', async () => {
    const page = openPage(await withdrawal('BankAccount'));
    const fields = { accountNumber: 'PK36SCBL0000001123456703', ...holder };
    expect((await page.data('check', fields)).warnings).toEqual([{ code: 'iban-checksum' }]);
    expect((await page.form('check', fields)).text).toContain('This IBAN has a slip');
    expect((await page.post('account', fields)).status).toBe(200);
  });

  test('that looks right has no warning; groups of a number are joined, a bank keeps its spaces', async () => {
    const wallet = openPage(await withdrawal('ProviderA'));
    const fields = { accountNumber: ' 0300-123 4567 ', ...holder };
    expect((await wallet.data('check', fields)).warnings).toEqual([]);
    expect((await wallet.data('account', fields)).customerAccount).toBe('••••4567');
    const { rows } = await service.database.pool.query(
      'select customer_account_number as number from orders where customer_account_number is not null order by created_at desc limit 1',
    );
    expect(rows[0].number).toBe('03001234567');
    const bank = openPage(await withdrawal('BankAccount'));
    const named = { accountNumber: 'Meezan Bank 0012345', ...holder };
    expect((await bank.data('check', named)).warnings).toEqual([]);
  });

  test('of fewer than four letters and digits is refused', async () => {
    const page = openPage(await withdrawal('ProviderA'));
    for (const action of ['check', 'account'])
      expect(await page.post(action, { accountNumber: '1-2-3', ...holder })).toMatchObject({
        status: 400,
        json: { error: 'The account number must have at least 4 letters or digits.' },
      });
  });
});
