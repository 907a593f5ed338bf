import { expect, test } from 'vitest';
import { periodText } from './period.ts';

test.each([
  ['2026-11-27T19:00Z', '2026-11-28T19:00Z', 'Asia/Karachi', '28 Nov 2026'],
  ['2026-11-27T18:30Z', '2026-11-28T18:30Z', 'Asia/Kolkata', '28 Nov 2026'],
  ['2026-11-25T19:00Z', '2026-11-28T19:00Z', 'Asia/Karachi', '26 Nov 2026 to 28 Nov 2026'],
  ['2026-11-28T04:00Z', '2026-11-28T12:00Z', 'Asia/Karachi', '28 Nov 2026, 09:00 to 17:00'],
  ['2026-11-28T12:00Z', '2026-11-29T04:00Z', 'UTC', '28 Nov 2026, 12:00 to 29 Nov 2026, 04:00'],
] as const)('from %s to %s in %s is %s', (from, to, timeZone, text) => {
  expect(periodText({ from, to, timeZone })).toBe(text);
});
