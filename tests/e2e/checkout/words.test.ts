import { describe, expect } from 'vitest';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { inOnePiece, openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What the page calls things: by the country that pays, and by the names that operators set. */

const { test, service } = await serviceTest();
for (const currency of ['INR', 'BDT'])
  await operatorClient(service).post('/exchange-rates', { currency, rate: 3 });
const merchant = await createMerchant(service, {
  currencies: ['PKR', 'INR', 'BDT'],
  balance: '100000',
});
await createMember(service, { float: '10000000000', maxOpenOrders: 10_000 });

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
  return inOnePiece(list);
}

/** The operator's names. */
const nameProviders = (names: object) =>
  service.database.pool.query('update settings set display_names = $1', [
    JSON.stringify({ methods: {}, providers: {}, ...names }),
  ]);

describe('what follows the currency', () => {
  test.each([
    ['PKR', '03001234567'],
    ['INR', '9812345678'],
    ['BDT', '01712345678'],
  ])('the example of an account number in %s is %s', async (currency, example) => {
    for (const language of LANGUAGES) {
      expect(await drawn(currency, 'ProviderAQR', language)).toContain(example);
      const order = await createOrder(merchant, {
        currency,
        orderType: 'Withdrawal',
        amount: 100,
      });
      const page = openPage({ paymentPageUrl: `${order.paymentPageUrl}&lang=${language}` });
      expect((await page.get()).text).toContain(example);
    }
  });

  test.each(LANGUAGES)('amounts in BDT have their sign in %s', async (language) => {
    const text = await drawn('BDT', 'ProviderA', language);
    expect(text).toMatch(/৳1,?50,000/);
    expect(text).not.toMatch(/BDT\s/);
  });

  test.each(LANGUAGES)(
    'no wallet of another country is named in %s, and the providers stay apart',
    async (language) => {
      await nameProviders({
        providers: { ProviderA: 'Easypaisa', ProviderB: 'JazzCash' },
        methods: { ProviderAQR: 'Easypaisa QR' },
      });
      for (const currency of ['INR', 'BDT']) {
        for (const walletType of ['ProviderA', 'ProviderAQR', 'ProviderBQR', 'BankAccount']) {
          const text = await drawn(currency, walletType, language);
          expect(text).not.toMatch(/Easypaisa|JazzCash|>EP<|>JC</);
        }
        const list = await drawn(currency, 'BankAccount', language);
        const names = [...list.matchAll(/<legend>.*?<bdi>(.*?)<\/bdi>/gs)].map(([, name]) => name);
        const marks = [...list.matchAll(/<legend><svg.*?<text[^>]*>(.*?)<\/text>/gs)];
        expect(new Set(names).size).toBe(2);
        expect(new Set(marks.map(([, letters]) => letters)).size).toBe(2);
      }
      expect(await drawn('PKR', 'ProviderA', language)).toContain('Easypaisa');
      await nameProviders({});
    },
  );

  test.each(LANGUAGES)('wallets of a country are named in %s by its currency', async (language) => {
    await nameProviders({
      providers: { ProviderA: 'Easypaisa', ProviderB: 'JazzCash' },
      methods: { ProviderAQR: 'Easypaisa QR' },
      currencies: { BDT: { providers: { ProviderA: 'bKash', ProviderB: 'Nagad' } } },
    });
    const list = await drawn('BDT', 'BankAccount', language);
    const legends = [...list.matchAll(/<legend>.*?<text[^>]*>(.*?)<\/text>.*?<bdi>(.*?)<\/bdi>/gs)];
    expect(legends.map(([, letters, name]) => [letters, name])).toEqual([
      ['bK', 'bKash'],
      ['N', 'Nagad'],
    ]);
    expect(list).not.toContain('Easypaisa');
    expect(await drawn('PKR', 'BankAccount', language)).toContain('Easypaisa QR');
    await nameProviders({});
  });

  test.each([
    ['INR', '9812345678', ['98123', '45678']],
    ['PKR', '03001234567', ['0300', '123', '4567']],
  ])('the number that is read back in %s is grouped as people there say it', async (...of) => {
    const [currency, accountNumber, groups] = of;
    const order = await createOrder(merchant, { currency, orderType: 'Withdrawal', amount: 100 });
    const fields = { accountNumber, accountName: 'Ayesha Khan' };
    const { text } = await openPage(order).form('check', fields);
    expect([...text.matchAll(/class="piece(?: gap)?">(\d+)</g)].map(([, group]) => group)).toEqual(
      groups,
    );
  });
});

describe('what the ID is called that digits are asked of', () => {
  test.each([
    ['PKR', 'en', 'calls it TID or Trx ID.'],
    ['PKR', 'ur', 'اسے TID یا Trx ID لکھا ہوتا ہے۔'],
    ['INR', 'en', 'The number of 12 digits: UTR, UPI Ref No. or UPI transaction ID.'],
    ['INR', 'hi', '12 अंकों वाला नंबर देखें: UTR, UPI Ref No.'],
    ['BDT', 'en', 'calls it TrxID or TxnID. Leave the letters out: 3006 for 5C8300HJ6V.'],
    ['BDT', 'bn', 'শুধু সংখ্যা লিখুন: 5C8300HJ6V হলে 3006।'],
  ])('in %s and %s', async (currency, language, said) => {
    const text = await drawn(currency, 'ProviderA', language);
    const [, hint = ''] = /id="transactionDigits-hint">(.*?)<\/p/.exec(text) ?? [];
    expect(inOnePiece(hint)).toContain(said);
    expect(hint.includes('5C8300HJ6V')).toBe(currency === 'BDT');
  });

  test.each([
    [5, '83006', 'If it has fewer than 5 digits, zeros come in front.'],
    [8, '00583006', 'If it has fewer than 8 digits, zeros come in front.'],
  ])('an example of %i digits of an ID with letters: %s', async (count, digits, zeros) => {
    const order = await createOrder(merchant, { currency: 'BDT', txnRefDigitsRequired: count });
    await openPage(order).data('open');
    const { text } = await openPage(order).get();
    const [, hint = ''] = /id="transactionDigits-hint">(.*?)<\/p/.exec(text) ?? [];
    expect(inOnePiece(hint)).toContain(`${digits} for 5C8300HJ6V. ${zeros}`);
  });

  test('a whole ID with letters and too few digits is read back with zeros in front', async () => {
    const order = await createOrder(merchant, { currency: 'BDT' });
    const page = openPage(order);
    await page.data('open');
    const { status, text } = await page.form('check', { transactionDigits: 'BFD9 KRC2ZA' });
    expect(status).toBe(200);
    expect(inOnePiece(text)).toContain('Only the last 4 digits count: 0092.');
    expect(text).toContain('value="0092"');
    await page.data('confirm', { transactionDigits: '0092' });
    expect((await page.state()).payment).toMatchObject({ transactionDigits: '0092' });
  });

  test.each([
    ['4821', ['4821']],
    ['Rs 500 sent at 07/06/2026 22:45. TID: 28311906999. Balance Rs 2,245.00', ['6999']],
    ['Ref TrxID 9AB8C7D6E5. TrxID DCK1B9P81H', ['8765', '1981']],
    ['Rs 500 sent at 07/06/2026 22:45. Balance Rs 2,245.00', undefined],
  ])('of %j a program is sent the digits that it may mean', async (transactionDigits, digits) => {
    const order = await createOrder(merchant, {});
    const page = openPage(order);
    await page.data('open');
    const { status, json } = await page.post('check', { transactionDigits });
    expect([status, json.data?.digits]).toEqual([digits === undefined ? 400 : 200, digits]);
  });
});

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

  test('in India is a UPI ID: one without @ is warned of, and it is masked by its user', async () => {
    const upi = () =>
      createOrder(merchant, {
        orderType: 'Withdrawal',
        walletType: 'TillID',
        currency: 'INR',
        amount: 100,
      });
    const page = openPage(await upi());
    const without = { accountNumber: '9812345678', ...holder };
    expect((await page.data('check', without)).warnings).toEqual([{ code: 'upi-id' }]);
    expect((await page.form('check', without)).text).toContain('A UPI ID has an @ in it');
    const right = { accountNumber: 'ayesha.khan@okbank', ...holder };
    expect((await page.data('check', right)).warnings).toEqual([]);
    expect((await page.data('account', right)).customerAccount).toBe('••••an@okbank');
  });

  test.each([
    ['PK36SCBL0000001123456703', ['Change it', 'Yes, send it here']],
    ['PK36SCBL0000001123456702', ['Yes, send it here', 'Go back']],
  ])('%s is asked about with the buttons %j, the first one marked', async (accountNumber, said) => {
    const page = openPage(await withdrawal('BankAccount'));
    const { text } = await page.form('check', { accountNumber, ...holder });
    const buttons = [...text.matchAll(/<button type="submit" class="(\w+)">(.*?)<\/button>/g)];
    expect(buttons.slice(0, 2).map(([, kind, words]) => [kind, words])).toEqual([
      ['primary', said[0]],
      ['quiet', said[1]],
    ]);
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
