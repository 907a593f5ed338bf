import { describe, expect, test } from 'vitest';
import { WAITS, waitsText } from './say-if-it-waits.ts';

describe('what is said of a write', () => {
  const waiting = { status: 'pendingApproval', approvalId: 'a' } as const;
  const hint = 'Fewer than two approvers can sign in.';

  test.for([
    [{ status: 'active' }, undefined],
    [{ orderId: 'o' }, undefined],
    [waiting, WAITS],
    [{ ...waiting, hint }, `${WAITS} ${hint}`],
  ] as const)('%j', ([data, said]) => {
    expect(waitsText(data)).toBe(said);
  });
});
