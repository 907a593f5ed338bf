import { afterAll } from 'vitest';
import { expectGoodState, openConsole } from '../../support/console.ts';
import { serviceTest } from '../../support/service-test.ts';
import { STATES } from './states/index.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
afterAll(() => console.close());

test.for(STATES)('$name is accessible, and fits narrow and zoomed', async (state) => {
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
