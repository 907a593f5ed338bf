import { expect, test } from 'vitest';
import { piecesOf } from './read-off.ts';

/** `_` is a gap for the eye, `|` a place where a line may end. */
const MARKS = { space: ' ', gap: '_', nothing: '|' };
const shown = (value: string) =>
  piecesOf(value)
    .map(({ text, after }) => text + MARKS[after])
    .join('')
    .slice(0, -1);

test.each([
  ['03001234567', '0300_123_4567'],
  ['3001234567', '300_123_4567'],
  ['+923001234567', '+92_300_123_4567'],
  ['+92 300-123 4567', '+92 300-123 4567'],
  ['9812345678', '98123_45678'],
  ['+919812345678', '+91_98123_45678'],
  ['01712345678', '0171_234_5678'],
  ['1234567890', '1234_5678_90'],
  ['482913', '482913'],
  ['PK36SCBL0000001123456702', 'PK36_SCBL_0000_0011_2345_6702'],
  ['Meezan Bank 01230104567890', 'Meezan Bank 0123_0104_5678_90'],
  ['HDFC0001234 50100123456789', 'HDFC0001234 5010_0123_4567_89'],
  ['PKR 1,500.50', 'PKR 1,500.50'],
  ['muhammad.imran-2@okhdfcbank', 'muhammad.|imran-|2|@okhdfcbank'],
  ['9812345678@ybl', '9812345678|@ybl'],
  ['ORD-20261130161647-TFZ1DY', 'ORD-20261130161647-|TFZ1DY'],
  ['', ''],
])('%s is shown as %s', (account, expected) => {
  expect(shown(account)).toBe(expected);
});

test('the value itself is what is shown, without the gaps', () => {
  for (const value of ['+92 300-123 4567', 'PK36SCBL0000001123456702', 'a.b-c@d'])
    expect(
      piecesOf(value)
        .map(({ text, after }) => (after === 'space' ? `${text} ` : text))
        .join(''),
    ).toBe(value);
});
