import { expect } from 'vitest';
import { cellsOf } from '../../support/csv.ts';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { cancelOrder, completeOrder } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Success, volume and time to confirm by day and week (apis.md#merchants-members-and-money). */

const { test, service } = await serviceTest(
  { CLOCK: 'sandbox' },
  { unsound: 'the times of what customers said are set behind the service’s back' },
);
const operator = operatorClient(service);
const { clock } = service.app.deps;

await operator.post('/exchange-rates', { currency: 'INR', rate: 3.5 });
const shop = await createMerchant(service, { balance: '5000' });
const indian = await createMerchant(service, { currencies: ['INR'] });
const methods = ['ProviderA', 'TillID'] as const;
const member = await createMember(service, { methods, float: '100000', maxOpenOrders: 100 });

/** A deposit that is completed so long after the customer's word. */
async function completed(merchant: typeof shop, body: Record<string, unknown>, seconds: number) {
  const order = await createOrder(merchant, body);
  await completeOrder(service, order, member);
  await service.database.pool.query(
    `update orders set sent_at = completed_at - $2 * interval '1 second' where order_id = $1`,
    [order.orderId, seconds],
  );
}
const noonOf = async (date: string) => {
  const seconds = Math.ceil((Date.parse(`${date}T12:00:00Z`) - clock.now()) / 1000);
  const { status } = await operator.post('/clock/advance', { seconds });
  expect(status).toBe(200);
};

const startedAt = clock.now();
const sunday = startedAt + (7 - new Date(startedAt).getUTCDay()) * 86_400_000;
/** The next Sunday, or so many days after it. */
const after = (days: number) => new Date(sunday + days * 86_400_000).toISOString().slice(0, 10);
const [SUNDAY, MONDAY, TUESDAY] = [after(0), after(1), after(2)];
await noonOf(SUNDAY);
for (const seconds of [60, 120, 600]) await completed(shop, { amount: 1000.25 }, seconds);
await cancelOrder(service, await createOrder(shop, { amount: 50 }));
await noonOf(MONDAY);
await completed(shop, { amount: 300, walletType: 'TillID' }, 30);
await completed(indian, { amount: 200, currency: 'INR' }, 90);
await noonOf(TUESDAY);
await createOrder(shop, { amount: 70, walletType: 'ProviderB' });

const asked = `timeZone=Asia/Karachi&from=${after(-2)}&to=${TUESDAY}`;
const read = async (query = ''): Promise<readonly Record<string, unknown>[]> =>
  (await operator.get(`/reports/orders?${asked}${query}`)).data.spans;
const row = (
  days: readonly [string, string],
  walletType: string | null,
  [created, completed, failed]: readonly [number, number, number],
  volume: number,
  [medianConfirmSeconds, p95ConfirmSeconds]: readonly [number | null, number | null],
) => ({
  ...{ from: days[0], to: days[1], walletType, created, completed, failed, volume },
  ...{ medianConfirmSeconds, p95ConfirmSeconds },
});

test('a day has its orders, what they came to, and how long they took, of all methods and of each', async () => {
  expect(await read()).toEqual([
    row([SUNDAY, SUNDAY], null, [4, 3, 1], 3000.75, [120, 552]),
    row([SUNDAY, SUNDAY], 'ProviderA', [4, 3, 1], 3000.75, [120, 552]),
    row([MONDAY, MONDAY], null, [2, 2, 0], 1000, [60, 87]),
    row([MONDAY, MONDAY], 'ProviderA', [1, 1, 0], 700, [90, 90]),
    row([MONDAY, MONDAY], 'TillID', [1, 1, 0], 300, [30, 30]),
    row([TUESDAY, TUESDAY], null, [1, 0, 0], 0, [null, null]),
    row([TUESDAY, TUESDAY], 'ProviderB', [1, 0, 0], 0, [null, null]),
  ]);
});

test('a week begins on Monday, and a merchant has its own', async () => {
  const weeks = (await read('&by=week')).filter(({ walletType }) => walletType === null);
  expect(weeks).toEqual([
    row([after(-6), SUNDAY], null, [4, 3, 1], 3000.75, [120, 552]),
    row([MONDAY, after(7)], null, [3, 2, 0], 1000, [60, 87]),
  ]);
  expect(await read(`&by=week&merchantId=${indian.merchantId}`)).toEqual([
    row([MONDAY, after(7)], null, [1, 1, 0], 700, [90, 90]),
    row([MONDAY, after(7)], 'ProviderA', [1, 1, 0], 700, [90, 90]),
  ]);
});

test('the file has the same rows', async () => {
  const { text } = await operator.get(`/reports/orders.csv?${asked}&format=plain`);
  const [head, ...rows] = cellsOf(text);
  expect(head).toEqual(Object.keys((await read())[0] as object));
  expect(rows[0]).toEqual([SUNDAY, SUNDAY, 'all', '4', '3', '1', '3000.75', '120', '552']);
  expect(rows.length).toBe(7);
});

test.for([
  ['success', ['created', 'completed', 'failed'], ['4', '3', '1']],
  ['volume', ['volume'], ['3000.75']],
  ['time-to-confirm', ['medianConfirmSeconds', 'p95ConfirmSeconds'], ['120', '552']],
] as const)('each figure has a file with its columns: %s', async ([figure, names, cells]) => {
  const { text } = await operator.get(`/reports/orders.csv?${asked}&format=plain&figure=${figure}`);
  const [head, first] = cellsOf(text);
  expect(head).toEqual(['from', 'to', 'walletType', ...names]);
  expect(first).toEqual([SUNDAY, SUNDAY, 'all', ...cells]);
});

test('days are those of the zone, and no more than 92 of them', async () => {
  const sundays = await operator.get(
    `/reports/orders?timeZone=Pacific/Kiritimati&from=${MONDAY}&to=${MONDAY}`,
  );
  // Noon of Sunday is two o'clock of Monday there.
  expect(sundays.data.spans[0]).toMatchObject({ from: MONDAY, created: 4 });
  for (const wrong of [
    'from=2026-10-05&to=2027-01-05',
    'from=2027-01-06&to=2027-01-05',
    'to=2027-02-30',
    'timeZone=Mars',
    'by=month',
  ])
    expect((await operator.get(`/reports/orders?${wrong}`)).status).toBe(400);
  expect((await operator.get('/reports/orders?from=2026-10-06&to=2027-01-05')).status).toBe(200);
});
