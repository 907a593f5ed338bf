import type { Page } from 'playwright-core';
import { LONG_NAME, READ_OFF } from '../../support/accounts-read-off.ts';
import { startDatabaseProxy } from '../../support/database-proxy.ts';
import { advance, type CreatedOrder, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { startService } from '../../support/service.ts';
import { submitForm } from './customer.ts';
import { RETURN_TO } from './pages.ts';
import { memberDoes, NOBODY_TAKES, operatorDoes, type Shop } from './shop.ts';

export const RETURNS = {
  successUrl: `${RETURN_TO}/paid?cart=7#thanks`,
  failureUrl: `${RETURN_TO}/failed?cart=7`,
};

/** One thing that the page can show, and how the customer and others get there. */
interface ViewCase {
  /** `data-view` of the page's main element. */
  readonly view: string;
  readonly status?: number;
  /** Makes the order through the service's faces, and brings it as far as they can. */
  order(shop: Shop): Promise<CreatedOrder>;
  /** Of the order's link, the address to open. */
  address?(link: string, shop: Shop): string;
  /** The rest of the way, in the browser. */
  reach?(page: Page): Promise<void>;
  /** Only the script comes here. */
  readonly scripted?: true;
  /** Its order has expired: it is made before those that must not. */
  readonly takesTime?: true;
}

const deposit = (body: object = {}) => ({
  new: ({ merchant }: Shop) => createOrder(merchant, { amount: 1500.5, ...body }),
  async opened(shop: Shop) {
    const order = await this.new(shop);
    await openPage(order).data('open');
    return order;
  },
  async scanned(shop: Shop, payer: object) {
    const order = await this.opened(shop);
    await openPage(order).data('payer', payer);
    return order;
  },
  async confirmed(shop: Shop) {
    const order = await this.opened(shop);
    await openPage(order).data('confirm', { transactionDigits: '1234' });
    return order;
  },
});

/** More decimals than can be sent. */
const FRACTION = { amount: 200.7647 };
const ACCOUNT = { customerAccountNumber: '03001234567', customerAccountName: 'Ayesha Khan' };
const withdrawal = (body: object = ACCOUNT) => ({
  new: ({ merchant }: Shop) =>
    createOrder(merchant, { orderType: 'Withdrawal', amount: 1500.5, ...body }),
});

async function after(
  order: Promise<CreatedOrder>,
  work: (order: CreatedOrder) => Promise<unknown>,
): Promise<CreatedOrder> {
  const made = await order;
  await work(made);
  return made;
}

/**
 * Every view of issue 4's list and of the contract with the page's markup, by the name that tests
 * and pictures show.
 */
export const VIEWS = {
  methods: {
    view: 'methods',
    order: (shop) => deposit({ walletType: 'BankAccount' }).opened(shop),
  },
  ready: { view: 'waiting', order: (shop) => deposit().new(shop) },
  waiting: { view: 'waiting', order: (shop) => deposit({ amount: NOBODY_TAKES }).opened(shop) },
  'payer-account': {
    view: 'payer',
    order: (shop) => deposit({ walletType: 'ProviderAQR' }).opened(shop),
  },
  'payer-iban': {
    view: 'payer',
    order: (shop) => deposit({ walletType: 'ProviderBQR' }).opened(shop),
  },
  'pay-account': { view: 'pay', order: (shop) => deposit().opened(shop) },
  'pay-till': {
    view: 'pay',
    order: (shop) => deposit({ walletType: 'TillID', txnRefDigitsRequired: 8 }).opened(shop),
  },
  'pay-qr': {
    view: 'pay',
    order: (shop) =>
      deposit({ walletType: 'ProviderAQR' }).scanned(shop, { accountNumber: '03001234567' }),
  },
  'pay-qr-iban': {
    view: 'pay',
    order: (shop) => deposit({ walletType: 'ProviderBQR' }).scanned(shop, { ibanLast4: '0071' }),
  },
  'pay-qr-wrong-payer': {
    view: 'pay',
    order: (shop) =>
      deposit({ walletType: 'ProviderAQR' }).scanned(shop, { accountNumber: '03001234567' }),
    reach: (page) => submitForm(page, 'payer', { accountNumber: '12' }),
  },
  'pay-fraction': { view: 'pay', order: (shop) => deposit(FRACTION).opened(shop) },
  'pay-qr-fraction': {
    view: 'pay',
    order: (shop) =>
      deposit({ ...FRACTION, walletType: 'ProviderAQR' }).scanned(shop, {
        accountNumber: '03001234567',
      }),
  },
  'pay-wrong-digits': {
    view: 'pay',
    order: (shop) => deposit().opened(shop),
    reach: (page) => submitForm(page, 'check', { transactionDigits: '12' }),
  },
  'pay-account-changed': {
    view: 'pay',
    order: (shop) => deposit().opened(shop),
    async reach(page) {
      const form = page.locator('form[action*="/check?"] [name=version]');
      await form.evaluate((input) => input.setAttribute('value', 'of another account-9'));
      await submitForm(page, 'check', { transactionDigits: '1234' });
    },
  },
  check: {
    view: 'check',
    order: (shop) => deposit().opened(shop),
    reach: (page) => submitForm(page, 'check', { transactionDigits: '1234' }),
  },
  'check-qr': {
    view: 'check',
    order: (shop) =>
      deposit({ walletType: 'ProviderAQR' }).scanned(shop, { accountNumber: '03001234567' }),
    reach: (page) => submitForm(page, 'check'),
  },
  verifying: { view: 'verifying', order: (shop) => deposit().confirmed(shop) },
  review: {
    view: 'review',
    order: (shop) =>
      after(deposit().confirmed(shop), (order) => operatorDoes(shop, 'escalate', order)),
  },
  'review-unpaid': {
    view: 'review',
    order: (shop) =>
      after(deposit().opened(shop), (order) => operatorDoes(shop, 'escalate', order)),
  },
  'other-digits': {
    view: 'verifying',
    order: (shop) => deposit().confirmed(shop),
    async reach(page) {
      // As from a tab that has stood at the last check.
      await page.evaluate(`(() => {
        const form = document.createElement('form');
        form.method = 'post';
        form.action = location.href.replace('?', '/confirm?');
        form.innerHTML = '<input name=transactionDigits value=9999>';
        document.body.append(form);
        form.submit();
      })()`);
      await page.locator('[role=alert]').waitFor();
    },
  },
  completed: {
    view: 'completed',
    order: (shop) =>
      after(deposit().confirmed(shop), (order) => memberDoes(shop, 'confirm', order)),
  },
  'completed-fraction': {
    view: 'completed',
    order: (shop) =>
      after(deposit(FRACTION).confirmed(shop), (order) => memberDoes(shop, 'confirm', order)),
  },
  'completed-return': {
    view: 'completed',
    order: (shop) =>
      after(deposit(RETURNS).confirmed(shop), (order) => memberDoes(shop, 'confirm', order)),
  },
  rejected: {
    view: 'rejected',
    order: (shop) => after(deposit().confirmed(shop), (order) => memberDoes(shop, 'reject', order)),
  },
  'rejected-other-amount': {
    view: 'rejected',
    order: (shop) =>
      after(deposit().confirmed(shop), (order) => memberDoes(shop, 'reject', order, 'otherAmount')),
  },
  cancelled: {
    view: 'cancelled',
    order: (shop) => after(deposit().opened(shop), (order) => openPage(order).data('cancel')),
  },
  'cancelled-return': {
    view: 'cancelled',
    order: (shop) =>
      after(deposit(RETURNS).opened(shop), (order) => openPage(order).data('cancel')),
  },
  'cancelled-paid': {
    view: 'cancelled',
    order: (shop) =>
      after(deposit().confirmed(shop), async (order) => {
        await operatorDoes(shop, 'escalate', order);
        await operatorDoes(shop, 'resolve', order, 'Cancelled');
      }),
  },
  account: { view: 'account', order: (shop) => withdrawal({}).new(shop) },
  'account-check': {
    view: 'check',
    order: (shop) => withdrawal({}).new(shop),
    reach: (page) =>
      submitForm(page, 'check', { accountNumber: '03001234567', accountName: 'Ayesha Khan' }),
  },
  'account-check-warnings': {
    view: 'check',
    order: (shop) => withdrawal({ walletType: 'BankAccount' }).new(shop),
    reach: (page) =>
      submitForm(page, 'check', {
        accountNumber: 'PK36SCBL0000001123456703',
        accountName: 'Ayesha Khan',
      }),
  },
  'withdrawal-waiting': {
    view: 'waiting',
    order: (shop) => withdrawal({ ...ACCOUNT, amount: NOBODY_TAKES }).new(shop),
  },
  'on-its-way': { view: 'on-its-way', order: (shop) => withdrawal().new(shop) },
  'on-its-way-fraction': {
    view: 'on-its-way',
    order: (shop) => withdrawal({ ...ACCOUNT, ...FRACTION }).new(shop),
  },
  'on-its-way-iban': {
    view: 'on-its-way',
    order: (shop) =>
      withdrawal({
        walletType: 'BankAccount',
        amount: 49_999.5,
        customerAccountNumber: READ_OFF.iban,
        customerAccountName: LONG_NAME,
      }).new(shop),
  },
  'withdrawal-review': {
    view: 'review',
    order: (shop) =>
      after(withdrawal().new(shop), (order) => operatorDoes(shop, 'escalate', order)),
  },
  paid: {
    view: 'paid',
    order: (shop) =>
      after(withdrawal(ACCOUNT).new(shop), (order) => memberDoes(shop, 'confirm', order)),
  },
  failed: {
    view: 'failed',
    order: (shop) => after(withdrawal().new(shop), (order) => memberDoes(shop, 'reject', order)),
  },
  'link-invalid': {
    view: 'link-invalid',
    status: 403,
    order: (shop) => deposit().new(shop),
    address: (link) => `${link}x`,
  },
  'last-minutes': {
    view: 'pay',
    order: (shop) => deposit().opened(shop),
    scripted: true,
    async reach(page) {
      await page.route('**/state?*', async (route) => {
        const { data } = await (await route.fetch()).json();
        await route.fulfill({ json: { data: { ...data, remainingMs: 100_000 } } });
      });
      await lookAgain(page);
      await page.locator('[data-last]:visible').waitFor();
    },
  },
  'time-is-up': {
    view: 'pay',
    order: (shop) => deposit(RETURNS).opened(shop),
    scripted: true,
    async reach(page) {
      await page.route('**/state?*', (route) => route.fulfill({ status: 410 }));
      await lookAgain(page);
      await page.locator('.card.expired').waitFor();
    },
  },
  'cancelled-claimed': {
    view: 'cancelled',
    order: (shop) =>
      after(deposit(RETURNS).opened(shop), async (order) => {
        await openPage(order).data('cancel');
        await openPage(order).data('claim', { transactionDigits: '4711' });
      }),
  },
  'link-expired': {
    view: 'link-expired',
    status: 410,
    takesTime: true,
    order: (shop) => expired(shop),
  },
  'expired-claimed': {
    view: 'link-expired',
    status: 410,
    takesTime: true,
    order: (shop) => after(expired(shop), claim),
  },
  'expired-taken-up': {
    view: 'link-expired',
    status: 410,
    takesTime: true,
    order: (shop) =>
      after(expired(shop), async (order) => {
        await claim(order);
        const operator = operatorClient(shop.service);
        const [{ claimId }] = (await operator.get(`/orders/${order.orderId}`)).data.lateClaims;
        await operator.post(`/late-claims/${claimId}/take`);
      }),
  },
  unreadable: {
    view: 'unreadable',
    order: (shop) => deposit().opened(shop),
    reach: (page) =>
      page.evaluate(`(() => {
        const input = document.querySelector('[name=transactionDigits]');
        input.removeAttribute('maxlength');
        input.value = 'x'.repeat(20000);
        input.form.submit();
      })()`),
  },
} as const satisfies Readonly<Record<string, ViewCase>>;

/** The page asks for the order's state now. */
const lookAgain = (page: Page) => page.evaluate(`window.dispatchEvent(new Event('online'))`);

const claim = (order: CreatedOrder) => openPage(order).data('claim', { transactionDigits: '4711' });

async function expired(shop: Shop): Promise<CreatedOrder> {
  const order = await deposit().opened(shop);
  await advance(shop.service, 900);
  return order;
}

export type ViewName = keyof typeof VIEWS | 'unavailable' | 'unavailable-sent';
export const VIEW_NAMES = [
  ...(Object.keys(VIEWS) as (keyof typeof VIEWS)[]),
  'unavailable',
  'unavailable-sent',
] as const;

/** Views that only the script brings. */
export const SCRIPTED: ReadonlySet<ViewName> = new Set(
  (Object.entries(VIEWS) as [ViewName, ViewCase][])
    .filter(([, { scripted }]) => scripted)
    .map(([name]) => name),
);

/** A view that is there to be looked at, as often as one likes. */
export interface ShownView extends Pick<ViewCase, 'view' | 'reach' | 'scripted'> {
  readonly name: ViewName;
  readonly status: number;
  readonly url: string;
  readonly order: CreatedOrder;
}

/** An order for every view. Those that take time come first, so that the rest do not expire. */
export async function showEveryView(
  shop: Shop,
): Promise<{ readonly shown: ReadonlyMap<ViewName, ShownView>; close(): Promise<void> }> {
  const shown = new Map<ViewName, ShownView>();
  const entries = Object.entries(VIEWS) as [keyof typeof VIEWS, ViewCase][];
  const first = entries.filter(([, { takesTime }]) => takesTime);
  const rest = entries.filter(([, { takesTime }]) => !takesTime);
  for (const [name, { order, address, ...shows }] of [...first, ...rest]) {
    const made = await order(shop);
    shown.set(name, {
      status: 200,
      ...shows,
      name,
      order: made,
      url: address?.(made.paymentPageUrl, shop) ?? made.paymentPageUrl,
    });
  }
  const away = await startAway(shop);
  const order = (shown.get('pay-account') as ShownView).order;
  shown.set('unavailable', {
    name: 'unavailable',
    view: 'unavailable',
    status: 503,
    order,
    url: order.paymentPageUrl.replace(shop.service.url, away.url),
  });
  const checked = await deposit().opened(shop);
  shown.set('unavailable-sent', {
    name: 'unavailable-sent',
    view: 'unavailable',
    status: 503,
    order: checked,
    url: checked.paymentPageUrl,
    async reach(page) {
      await submitForm(page, 'check', { transactionDigits: '1234' });
      await page.route('**/confirm?*', async (route) => {
        const url = route.request().url().replace(shop.service.url, away.url);
        await route.fulfill({ response: await route.fetch({ url }) });
      });
      await submitForm(page, 'confirm');
    },
  });
  return { shown, close: away.close };
}

/** The same service with its database cut off. */
async function startAway({
  service,
}: Shop): Promise<{ readonly url: string; close(): Promise<void> }> {
  const proxy = await startDatabaseProxy(service.target);
  const away = await startService({}, { ...service, target: proxy.target });
  proxy.set('reset');
  return {
    url: away.url,
    async close() {
      proxy.set('open');
      await away.close();
      await proxy.close();
    },
  };
}
