import { expect, test } from 'vitest';
import { periodText } from './period.ts';

test.each([
  ['2026-11-27T19:00:00Z', '2026-11-28T19:00:00Z', 'Asia/Karachi', '28 Nov 2026'],
  ['2026-11-27T18:30:00Z', '2026-11-28T18:30:00Z', 'Asia/Kolkata', '28 Nov 2026'],
  ['2026-11-25T19:00:00Z', '2026-11-28T19:00:00Z', 'Asia/Karachi', '26 Nov 2026 to 28 Nov 2026'],
  ['2026-11-28T04:00:00Z', '2026-11-28T12:00:00Z', 'Asia/Karachi', '28 Nov 2026, 09:00 to 17:00'],
  [
    ...['2026-11-28T12:00:00Z', '2026-11-29T19:00:00Z', 'Asia/Karachi'],
    '28 Nov 2026, 17:00 to 30 Nov 2026, 00:00',
  ],
])('from %s to %s in %s is %s', (from, to, timeZone, text) => {
  expect(periodText({ from, to, timeZone } as Parameters<typeof periodText>[0])).toBe(text);
});
