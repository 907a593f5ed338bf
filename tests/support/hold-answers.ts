import { afterEach, expect } from 'vitest';
// A module of its own: it is loaded once where files share their modules, and this one for each.
import { breaches } from './checked-fetch.ts';

afterEach(async () => {
  expect(await breaches()).toEqual([]);
});
