import { expect, test } from 'vitest';
import { priorityOf, withPriority } from './journal.ts';

test('each level of the log has its priority, and each line of a text too', () => {
  const lines = [10, 20, 30, 40, 50, 60].map((level) =>
    withPriority(`${level}`, priorityOf(level)),
  );
  expect(lines).toEqual(['<7>10', '<7>20', '<6>30', '<4>40', '<3>50', '<2>60']);
  expect(withPriority('one\ntwo', 'error')).toBe('<3>one\n<3>two');
});
