import { expect, test } from 'vitest';
import { latestTimeIn } from './message-time.ts';

const KARACHI = 5 * 60;
const latest = (text: string) => {
  const at = latestTimeIn(text, KARACHI);
  return at === null ? null : new Date(at).toISOString();
};

test.each([
  ['on 14/06/2026 at 22:45.', '2026-06-14T17:45:59.999Z'],
  ['on 2026-06-14 22:45:10', '2026-06-14T17:45:59.999Z'],
  ['14-Jun-26 10:45 PM', '2026-06-14T17:45:59.999Z'],
  ['14Jun26', '2026-06-14T18:59:59.999Z'],
  ['June 14, 2026 12:05 am', '2026-06-13T19:05:59.999Z'],
  ['۱۴/۰۶/۲۰۲۶', '2026-06-14T18:59:59.999Z'],
  // Either may be the month: the later one.
  ['on 06/07/26', '2026-07-06T18:59:59.999Z'],
  // A message that quotes another.
  ['01-06-2026 10:00 … 14-06-2026 09:00', '2026-06-14T05:00:59.999Z'],
  ['Rs 2,500.00 received at 22:45', null],
  ['TID 31.13.2026', null],
])('%j is at the latest %s', (text, at) => {
  expect(latest(text)).toBe(at);
});
