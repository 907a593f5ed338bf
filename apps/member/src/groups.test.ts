import { expect, test } from 'vitest';
import { groups } from './groups.ts';

test.each([
  ['03001234567', '0300 123 4567'],
  ['9812345678', '98123 45678'],
  ['1234567890', '1234 5678 90'],
  ['PK36SCBL0000001123456702', 'PK36 SCBL 0000 0011 2345 6702'],
  ['', ''],
])('%s is shown as %s', (account, shown) => {
  expect(groups(account).join(' ')).toBe(shown);
});
