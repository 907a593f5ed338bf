import { expect, test } from 'vitest';
import { kindsOfDeliverySearch, readDeliverySearch } from './delivery-search.ts';

test.each([
  ['shop.example/hook', ['reference', 'merchantReferenceEnd', 'referencePart', 'url']],
  ['INV 7', ['reference', 'merchantReferenceEnd', 'referencePart']],
  ['k7m2qx', ['reference', 'shortEnd', 'merchantReferenceEnd', 'referencePart', 'url']],
  ['ab', ['reference']],
  [
    '019BE3C0-0000-7000-8000-00000000000A',
    ['deliveryId', 'orderId', 'reference', 'merchantReferenceEnd', 'referencePart', 'url'],
  ],
])('a delivery is looked for by %j as %j', (typed, kinds) => {
  expect(kindsOfDeliverySearch(readDeliverySearch(typed, 0))).toEqual(kinds);
});

test('a URL is looked for without its login, shown or not', () => {
  expect(readDeliverySearch('https://***@shop.example/hook', 0).url).toBe(
    'https://shop.example/hook',
  );
});
