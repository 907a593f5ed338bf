import { describe, expect } from 'vitest';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What the page calls things: by the country that pays, and by the names that operators set. */

const { test, service } = await serviceTest();
for (const currency of ['INR', 'BDT'])
  await operatorClient(service).post('/exchange-rates', { currency, rate: 3 });
const merchant = await createMerchant(service, { currencies: ['PKR', 'INR', 'BDT'] });
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

test('a method that the operator has named keeps its name, beside a sentence of its own', async () => {
  await service.database.pool.query(
    `update settings set display_names = '{"methods": {"ProviderA": "Pay fast"}, "providers": {}}'`,
  );
  expect(await drawn('PKR', 'ProviderA', 'hi')).toContain('Pay fast\u2069: एक ही बार में');
});
