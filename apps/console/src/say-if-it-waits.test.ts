import { describe, expect, test } from 'vitest';
import { waitsText, whatWaits } from './say-if-it-waits.tsx';

describe('what is said of a write', () => {
  test.for([
    [{}, 'Waits for an approver.'],
    [{ approvers: ['Asma'] }, 'Waits for Asma.'],
    [{ approvers: ['Asma', 'Bilal'] }, 'Waits for Asma or Bilal.'],
    [{ approvers: ['A', 'B', 'C', 'D'] }, 'Waits for A, B, C or D.'],
    [{ approvers: ['A', 'B', 'C', 'D', 'E'] }, 'Waits for A, B, C or 2 others.'],
    [{ hint: 'Make one.' }, 'Waits for an approver. Make one.'],
  ] as const)('that waits: %j', ([data, said]) => expect(waitsText(data)).toBe(said));

  test('that was done at once: nothing', () => {
    for (const data of [{ status: 'active' }, { orderId: 'o' }])
      expect(whatWaits(data)).toBeUndefined();
  });
});
