import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../support/database.ts';
import { databaseUrl } from '../../support/process.ts';
import { MASTER_KEY } from '../../support/service.ts';
import { bareEnvironment, listenTo } from '../../support/spoken.ts';

/** What systemd does: one stream for both outputs, named by JOURNAL_STREAM. */
const AS_SYSTEMD = 'exec 2>&1; JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$0" "$@"';
const MAIN = path.join(import.meta.dirname, '../../../apps/server/src/main.ts');

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
beforeAll(async () => {
  clone = await cloneDatabase();
});
afterAll(() => clone.drop());

const started = (script: string, env: Readonly<Record<string, string>> = {}) =>
  listenTo('sh', ['-c', script, process.execPath, MAIN], {
    cwd: import.meta.dirname,
    env: {
      ...bareEnvironment(),
      DATABASE_URL: databaseUrl(clone.target),
      MASTER_KEY,
      PORT: '0',
      LOG_LEVEL: 'trace',
      ALLOW_PRIVATE_CALLBACKS: '1',
      ...env,
    },
  });

/** The output of a service that has started and was stopped, by lines. */
async function linesOf(script: string) {
  const { child, exited, says, said } = started(script);
  await says(/Munshi is listening/);
  child.kill('SIGTERM');
  await exited;
  return said().trimEnd().split('\n');
}

test('every line that journald reads begins with its level', async () => {
  const lines = await linesOf(AS_SYSTEMD);
  const parts = lines.map((line) => /^<(\d)>(.*)$/.exec(line));
  expect(lines.filter((_, at) => parts[at] === null)).toEqual([]);
  const entries = parts.map((part) => ({ priority: part?.[1], text: part?.[2] ?? '' }));
  expect(entries).toContainEqual({
    priority: '4',
    text: expect.stringContaining('ALLOW_PRIVATE_CALLBACKS is set'),
  });
  expect(entries).toContainEqual({
    priority: '6',
    text: expect.stringContaining('Munshi is listening on'),
  });
  const byLevel: Readonly<Record<number, string>> = { 10: '7', 20: '7', 30: '6', 40: '4' };
  for (const { priority, text } of entries.filter((entry) => entry.text.startsWith('{')))
    expect(priority).toBe(byLevel[(JSON.parse(text) as { readonly level: number }).level]);
});

test('a start that fails is an error in the journal', async () => {
  const { exited, said } = started(AS_SYSTEMD, { PORT: 'none' });
  expect(await exited).toBe(1);
  expect(said()).toBe('<3>munshi: PORT must be a whole number from 0 to 65535; it is "none"\n');
});

test('no line has a level before it where the output was taken from the journal', async () => {
  const lines = await linesOf('JOURNAL_STREAM=8:1234567 exec "$0" "$@"');
  expect(lines.filter((line) => line.startsWith('<'))).toEqual([]);
  expect(lines.some((line) => line.startsWith('{"level":40,'))).toBe(true);
});
