import { afterAll } from 'vitest';
import { expectGoodState, openConsole } from '../../support/console.ts';
import { serviceTest } from '../../support/service-test.ts';
import { STATES } from './states/index.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
afterAll(() => console.close());

test.for(STATES)('$name is accessible, and fits narrow and zoomed', async (state) => {
  const { name, role, path, prepare, reach } = state;
  const prepared = (await prepare?.(service)) ?? {};
  const window = await console.open({
    ...(role !== undefined && { role }),
    path: typeof path === 'string' ? path : path(prepared),
  });
  await reach(window.page, prepared);
  await expectGoodState(window.page, name);
  await window.close();
});
