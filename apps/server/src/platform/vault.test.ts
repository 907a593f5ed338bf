import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createVault } from './vault.ts';

const MASTER_KEY = '42'.repeat(32);
const vault = createVault(MASTER_KEY);
const OWNER = {
  merchantId: '0198f0c4-5d5e-7000-8000-00000000000a',
  keyId: '0198f0c4-5d5e-7000-8000-00000000000b',
};
const ORDER_ID = '0198f0c4-5d5e-7000-8000-000000000001';

test('a sealed secret opens to the same text, and twice sealed it looks different', () => {
  const [one, two] = [vault.seal('sksec_secret', OWNER), vault.seal('sksec_secret', OWNER)];
  expect(vault.open({ ...one, ...OWNER })).toBe('sksec_secret');
  expect(one.sealed.equals(two.sealed)).toBe(false);
});

test('a sealed secret does not open under another master key, nor after one bit was changed', () => {
  const sealed = vault.seal('sksec_secret', OWNER);
  expect(() => createVault('43'.repeat(32)).open({ ...sealed, ...OWNER })).toThrow(
    'another MASTER_KEY',
  );
  const changed = Buffer.from(sealed.sealed);
  changed[changed.length - 1] = (changed.at(-1) as number) ^ 1;
  expect(() => vault.open({ ...sealed, ...OWNER, sealed: changed })).toThrow();
});

test('a sealed secret opens for its merchant and key alone', () => {
  const sealed = vault.seal('sksec_secret', OWNER);
  for (const other of [
    { ...OWNER, merchantId: OWNER.keyId },
    { ...OWNER, keyId: OWNER.merchantId },
  ]) {
    for (const open of [vault.open, vault.openToReseal])
      expect(() => open({ ...sealed, ...other })).toThrow('unable to authenticate');
  }
});

test('one from before seals had an owner opens to be sealed again, and for nothing else', () => {
  const key = Buffer.from(
    hkdfSync('sha256', Buffer.from(MASTER_KEY, 'hex'), '', 'munshi signing secrets', 32),
  );
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12, 7));
  const text = Buffer.concat([cipher.update('sksec_old'), cipher.final()]);
  const sealKeyId = createHash('sha256').update(key).digest('hex').slice(0, 8);
  const old = {
    sealed: Buffer.concat([Buffer.alloc(12, 7), cipher.getAuthTag(), text]),
    sealKeyId,
    ...OWNER,
  };
  expect(vault.openToReseal(old)).toBe('sksec_old');
  expect(() => vault.open(old)).toThrow('another MASTER_KEY');
  expect(() => vault.open({ ...old, sealKeyId: vault.sealKeyId })).toThrow(
    'unable to authenticate',
  );
});

test('several master keys: the first seals, all of them open and know each other’s links', () => {
  const [OLD, NEW] = [MASTER_KEY, '43'.repeat(32)];
  const [old, next, only] = [
    createVault(`${OLD},${NEW}`),
    createVault(`${NEW},${OLD}`),
    createVault(NEW),
  ];
  expect(next.open({ ...vault.seal('sksec_secret', OWNER), ...OWNER })).toBe('sksec_secret');
  expect(old.seal('sksec_secret', OWNER).sealKeyId).toBe(vault.sealKeyId);
  expect(only.open({ ...next.seal('sksec_secret', OWNER), ...OWNER })).toBe('sksec_secret');
  expect(() => only.open({ ...old.seal('sksec_secret', OWNER), ...OWNER })).toThrow(
    'another MASTER_KEY',
  );
  const link = (from: typeof vault) =>
    [ORDER_ID, 1_700_000_000, from.linkToken(ORDER_ID, 1_700_000_000)] as const;
  const opens = (by: typeof vault, from: typeof vault) =>
    by.isLinkToken(link(from)[2], ORDER_ID, 1_700_000_000);
  expect([opens(next, vault), opens(old, only), opens(only, next), opens(only, old)]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('a link token is HMAC-SHA256 over id and expiry under a key derived from the master key', () => {
  const key = Buffer.from(
    hkdfSync('sha256', Buffer.from(MASTER_KEY, 'hex'), '', 'munshi payment links', 32),
  );
  expect(vault.linkToken(ORDER_ID, 1_700_000_000)).toBe(
    createHmac('sha256', key).update(`${ORDER_ID}.1700000000`).digest('base64url'),
  );
});

test('a link token is good for its order and expiry alone', () => {
  const token = vault.linkToken(ORDER_ID, 1_700_000_000);
  expect(vault.isLinkToken(token, ORDER_ID, 1_700_000_000)).toBe(true);
  expect(vault.isLinkToken(token, ORDER_ID, 1_700_000_001)).toBe(false);
  expect(vault.isLinkToken(token, ORDER_ID.replace(/1$/, '2'), 1_700_000_000)).toBe(false);
  expect(vault.isLinkToken(`${token}A`, ORDER_ID, 1_700_000_000)).toBe(false);
  expect(vault.isLinkToken('', ORDER_ID, 1_700_000_000)).toBe(false);
});

describe('link keys', () => {
  const [OLD, NEW] = ['a1'.repeat(32), 'B2'.repeat(32)] as const;
  const sign = (...linkKeys: string[]) =>
    createVault(MASTER_KEY, linkKeys).linkToken(ORDER_ID, 1_700_000_000);
  const verify = (token: string, ...linkKeys: string[]) =>
    createVault(MASTER_KEY, linkKeys).isLinkToken(token, ORDER_ID, 1_700_000_000);

  test('the first signs', () => {
    const expected = createHmac('sha256', Buffer.from(NEW, 'hex'))
      .update(`${ORDER_ID}.1700000000`)
      .digest('base64url');
    expect([sign(NEW), sign(NEW, OLD), sign(NEW.toLowerCase(), 'derived')]).toEqual([
      expected,
      expected,
      expected,
    ]);
    expect(sign('derived', NEW)).toBe(vault.linkToken(ORDER_ID, 1_700_000_000));
  });

  test('all of them verify, wherever they stand, and no other', () => {
    for (const list of [[OLD], [OLD, NEW], [NEW, OLD], [NEW, 'derived', OLD]])
      expect(verify(sign(OLD), ...list)).toBe(true);
    for (const list of [[NEW], ['derived'], [NEW, 'derived']])
      expect(verify(sign(OLD), ...list)).toBe(false);
    expect(verify(sign('derived'), NEW, 'derived')).toBe(true);
    expect(verify(sign('derived'), NEW)).toBe(false);
  });

  test('signing secrets open with any link keys', () => {
    expect(
      createVault(MASTER_KEY, [NEW]).open({ ...vault.seal('sksec_secret', OWNER), ...OWNER }),
    ).toBe('sksec_secret');
  });
});
