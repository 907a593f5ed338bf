import { afterAll, afterEach, expect } from 'vitest';
import { createMerchant } from '../../support/fixtures.ts';
import { deliveryWhen, failedOrder } from '../../support/outcomes.ts';
import { startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * The service as in production: private addresses are not allowed. The receiver at a refused
 * address must receive nothing.
 */
const { test, service } = await serviceTest({ ALLOW_PRIVATE_CALLBACKS: '0' });
const merchant = await createMerchant(service);
const listener = await startReceiver();
afterEach(() => expectSound(service));
afterAll(async () => {
  await listener.close();
});

const FORMS = [
  'http://127.0.0.1:PORT/hook',
  'http://localhost:PORT/hook',
  'http://LOCALHOST.:PORT/hook',
  'http://a.localhost:PORT/hook',
  'http://127.1:PORT/hook',
  'http://0x7f.1:PORT/hook',
  'http://0x7f000001:PORT/hook',
  'http://2130706433:PORT/hook',
  'http://0177.0.0.1:PORT/hook',
  'http://017700000001:PORT/hook',
  'http://127.0.0.1.:PORT/hook',
  'http://127.255.255.254:PORT/hook',
  'http://0.0.0.0:PORT/hook',
  'http://0:PORT/hook',
  'http://[::1]:PORT/hook',
  'http://[::]:PORT/hook',
  'http://[::ffff:127.0.0.1]:PORT/hook',
  'http://[::ffff:7f00:1]:PORT/hook',
  'http://[::127.0.0.1]:PORT/hook',
  'http://[64:ff9b::127.0.0.1]:PORT/hook',
  'http://[2002:7f00:1::1]:PORT/hook',
  'http://10.0.0.1:PORT/hook',
  'http://172.16.0.1:PORT/hook',
  'http://192.168.1.1:PORT/hook',
  'http://100.64.0.1:PORT/hook',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[fe80::1]:PORT/hook',
  'http://192.0.2.1:PORT/hook',
  'http://[2001:db8::1]:PORT/hook',
  'http://224.0.0.1:PORT/hook',
  'https://127.0.0.1:PORT/hook',
];

test.each(FORMS)('SSRF: %s is a failed attempt, and nobody is connected to', async (form) => {
  const order = await failedOrder(service, merchant, {
    callbackUrl: form.replace('PORT', String(listener.port)),
  });
  const { made } = await deliveryWhen(service, order, { status: 'pending', attempts: 1 });
  expect(made).toMatchObject([
    {
      succeeded: false,
      responseStatus: null,
      error: expect.stringMatching(
        /^Refused: .*(not a public address|to public addresses alone)\.$/,
      ),
      answer: null,
    },
  ]);
  expect(listener.connections).toBe(0);
});

test.each([
  ['http://user:password@127.0.0.1:PORT/', /^Refused: 127\.0\.0\.1 is not a public address\.$/],
  ['http://127.0.0.1:22/', /port 22 belongs to another protocol/],
  ['http://merchant.example:25/', /port 25 belongs to another protocol/],
  ['http://merchant.invalid/', /does not resolve to public addresses alone\.$/],
])('SSRF: %s is refused with its reason', async (form, reason) => {
  const order = await failedOrder(service, merchant, {
    callbackUrl: form.replace('PORT', String(listener.port)),
  });
  const { made } = await deliveryWhen(service, order, { status: 'pending', attempts: 1 });
  expect(made[0]?.error).toMatch(reason);
  expect(listener.connections).toBe(0);
});
