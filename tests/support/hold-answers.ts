import { afterEach, expect } from 'vitest';
// Modules of their own: they are loaded once where files share their modules, and this one for each.
import { breaches } from './checked-fetch.ts';
import { undeclaredAudit } from './declared-audit.ts';

afterEach(async () => {
  expect(await breaches()).toEqual([]);
  expect(undeclaredAudit()).toEqual([]);
});
