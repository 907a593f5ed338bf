import { expect, test } from 'vitest';
import { texts } from '../../apps/console/src/pages/audit/texts.ts';
import { filesOf, read } from './sources.ts';

/** Actions as sources write them into the audit log, where they are not put together. */
const WRITTEN = /(?:action: |audited\(|record\([^)']*)'([a-z-]+\.[a-z-]+)'/g;

test('the console has words for every action of the audit log', () => {
  const sources = filesOf('apps/server/src/**/*.ts', 'packages/core/src/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const actions = new Set(
    sources.flatMap((file) => [...read(file).matchAll(WRITTEN)].map(([, action]) => action)),
  );
  expect(actions).toContain('member.sessions-end');
  expect([...actions].filter((action) => !((action as string) in texts.actions))).toEqual([]);
});
