import { expect } from 'vitest';
import { expectGoodState, openConsole } from '../../support/console.ts';
import { serviceTest } from '../../support/service-test.ts';
import { APPS_IN_FULL } from '../checks.ts';
import { STATES } from './states/index.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);

/** What a short run shows: each screen, and a dialog. The deep ring shows every state. */
const EVERYDAY = [
  'sign-in',
  'now',
  'queues',
  'orders',
  'order-in-review',
  'order-complete-dialog',
  'late-claims-open',
  'approvals',
  'webhooks',
  'merchants',
  'merchant-overview',
  'members',
  'member-now',
  'fees',
  'reports',
  'audit',
  'operators',
  'settings',
  'security',
];

const shown = STATES.filter(({ name }) => APPS_IN_FULL || EVERYDAY.includes(name));

test('each state of everyday is there', () => {
  const names = shown.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(EVERYDAY));
  expect(new Set(names).size).toBe(names.length);
});

test.for(shown)('$name is accessible, and fits narrow and zoomed', async (state) => {
  const { name, role = 'admin', path, prepare, reach, leave } = state;
  // First, as a state may have made everything need two people.
  if (role !== null) await console.operator(role);
  const prepared = (await prepare?.(service)) ?? {};
  try {
    const window = await console.open({
      role,
      path: typeof path === 'string' ? path : path(prepared),
    });
    await reach(window.page, prepared);
    await expectGoodState(window.page, name);
    await window.close();
  } finally {
    await leave?.(service);
  }
});
