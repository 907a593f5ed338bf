import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectGoodState, openConsole } from '../../support/console.ts';
import { keptWindows } from '../../support/kept-windows.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectReadable } from '../read-off.ts';
import { STATES } from './states/index.ts';

/** States are many, and alike: each is measured at one of nine pairs of width and text size. */
const VISITS = 9;

const { test, service } = await serviceTest();
const console = await openConsole(service);
const inWindow = keptWindows(service.url);

test('each state has a name of its own', () => {
  expect(new Set(STATES.map(({ name }) => name)).size).toBe(STATES.length);
});

test.for(STATES)('$name is accessible, and fits narrow and zoomed', async (state) => {
  const { name, role = 'admin', path, prepare, reach, leave } = state;
  // First, as a state may have made everything need two people.
  if (role !== null) await console.operator(role);
  const prepared = (await prepare?.(service)) ?? {};
  try {
    const address = typeof path === 'string' ? path : path(prepared);
    const options = { role, path: address };
    const open = () => console.open(options);
    const look = async (page: Page, fresh: boolean) => {
      if (!fresh) await console.go(page, options);
      await reach(page, prepared);
      await expectGoodState(page, name);
      await expectReadable(page, name, { visits: VISITS, marked: false });
    };
    await inWindow(role ?? `nobody at ${name}`, open, look);
  } finally {
    await leave?.(service);
  }
});
