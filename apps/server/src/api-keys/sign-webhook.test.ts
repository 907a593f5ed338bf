import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createVault } from '../platform/vault.ts';
import { createSigner } from './sign-webhook.ts';

const vault = createVault('7e'.repeat(32));
const delivery = (body: Buffer) => ({ deliveryId: 'd1', eventType: 'order.failed', body }) as const;
const OWNER = { merchantId: 'merchant', keyId: 'key' };
const keyWith = (secret: string) => {
  const { sealed, sealKeyId } = vault.seal(secret, OWNER);
  return { ...OWNER, prefix: 'abcdefgh', sealedSecret: sealed, sealKeyId };
};
const expected = (secret: string, body: Buffer) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

test('signs the bytes of the body by HMAC-SHA256, and says when in whole seconds', () => {
  const sign = createSigner(vault);
  const body = randomBytes(700);
  expect(sign(delivery(body), keyWith('sksec_one'), 1_700_000_000_999)).toMatchObject({
    ok: true,
    headers: { 'x-svc-signature': expected('sksec_one', body), 'x-svc-timestamp': '1700000000' },
  });
});

test('a new secret of the same key signs at once', () => {
  const sign = createSigner(vault);
  const body = Buffer.from('{}');
  for (const secret of ['sksec_one', 'sksec_two', 'sksec_one'])
    expect(sign(delivery(body), keyWith(secret), 0)).toMatchObject({
      headers: { 'x-svc-signature': expected(secret, body) },
    });
});

test('the secret of a key is opened once, and once more when the key is read again', () => {
  let opened = 0;
  const open: typeof vault.open = (sealed) => {
    opened += 1;
    return vault.open(sealed);
  };
  const sign = createSigner({ ...vault, open });
  const key = keyWith('sksec_one');
  for (const read of [key, key, { ...key }]) sign(delivery(Buffer.from('{}')), read, 0);
  expect(opened).toBe(2);
});

test('a secret that was sealed for another key signs nothing, also when that key has signed before', () => {
  const sign = createSigner(vault);
  const body = Buffer.from('{}');
  const key = keyWith('sksec_one');
  expect(sign(delivery(body), key, 0)).toMatchObject({ ok: true });
  for (const moved of [
    { ...key, keyId: 'other' },
    { ...key, merchantId: 'other' },
  ]) {
    expect(sign(delivery(body), moved, 0)).toEqual({
      ok: false,
      error: expect.stringContaining('for another API key'),
    });
  }
});
