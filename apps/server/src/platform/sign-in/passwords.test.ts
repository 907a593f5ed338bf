import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

test('a password is recognised by its hash alone, and no other is', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(await verifyPassword('correct horse battery', stored)).toBe(true);
  expect(await verifyPassword('correct horse batterz', stored)).toBe(false);
  expect(await verifyPassword('', stored)).toBe(false);
});

// In a process of its own: in this one, tests have made hashes cheap.
test('a password is hashed at the cost that OWASP asks for', async () => {
  const script = `import(${JSON.stringify(path.join(import.meta.dirname, 'passwords.ts'))})
    .then(({ hashPassword }) => hashPassword('correct horse battery')).then(console.log)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  expect(stdout).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}\n$/,
  );
});

test('two hashes of one password differ', async () => {
  expect(await hashPassword('same')).not.toBe(await hashPassword('same'));
});

test('the same text typed composed or decomposed is the same password', async () => {
  expect(await verifyPassword('e\u0301toile', await hashPassword('\u00e9toile'))).toBe(true);
});

test('a hash made at another cost still verifies', async () => {
  const cheap =
    '$argon2id$v=19$m=64,t=3,p=4$YSBmaXhlZCBzYWx0IDE2Yg$9EdRW6DL6mMU7nSx+eJfn+iOTxE5YysAd8hXxuXxOzA';
  expect(await verifyPassword('anything', cheap)).toBe(true);
  expect(await verifyPassword('anything else', cheap)).toBe(false);
});

test('nobody is never verified', async () => {
  expect(await verifyPassword('', null)).toBe(false);
});
