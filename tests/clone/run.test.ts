import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenTo } from '../support/spoken.ts';
import { filesOf, ROOT, read } from '../tidy/sources.ts';

/** With a `node` that is this one. */
const PATH = [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter);
/** Has no package of Node beside it: nothing was installed, or nothing for this platform. */
let bare: string;

const run = (root: string, args: readonly string[], env: Record<string, string> = {}) =>
  listenTo('sh', [path.join(root, 'bin', 'run'), ...args], {
    cwd: tmpdir(),
    env: { PATH, ...env },
  });

beforeAll(() => {
  bare = mkdtempSync(path.join(tmpdir(), 'munshi run ')); // a space: paths of users have them
  mkdirSync(path.join(bare, 'bin'));
  for (const file of ['package.json', 'bin/run', 'bin/node-folder.cjs'])
    cpSync(path.join(ROOT, file), path.join(bare, file));
});
afterAll(() => rmSync(bare, { recursive: true, force: true }));

describe('bin/run', () => {
  test('runs a command, and what that starts by name, on the Node of the packages, from any folder', async () => {
    const node = run(ROOT, ['sh', '-c', "node -p 'process.execPath'"]);
    expect(await node.exited).toBe(0);
    expect(node.said().trim()).toMatch(
      new RegExp(`^${realpathSync(ROOT)}/node_modules/node-[\\w-]+/bin/node$`),
    );
  });

  test('finds the tools that came with it, without npm', async () => {
    const tool = run(ROOT, ['biome', '--version']);
    expect(await tool.exited, tool.said()).toBe(0);
  });

  test('ends with the exit code of the command', async () => {
    expect(await run(ROOT, ['node', '-e', 'process.exit(7)']).exited).toBe(7);
  });

  test('becomes the command: a signal reaches it and ends it', async () => {
    const waiting = run(ROOT, ['node', '-e', "console.log('ready'); setInterval(() => {}, 1000)"]);
    await waiting.says(/ready/);
    waiting.child.kill('SIGKILL');
    expect(await waiting.exited).toBeNull();
  });

  test('without a package for this platform it takes the Node that is there, if that is new enough', async () => {
    const node = run(bare, ['node', '-p', 'process.execPath']);
    expect(await node.exited, node.said()).toBe(0);
    expect(node.said().trim()).toBe(process.execPath);
  });

  test('and if it is not, says in one line what to do', async () => {
    const old = path.join(bare, 'old.cjs');
    writeFileSync(
      old,
      "Object.defineProperties(process, { version: { value: 'v20.20.2' }, versions: { value: { node: '20.20.2' } } });",
    );
    const node = run(bare, ['node', '-p', '1'], { NODE_OPTIONS: `--require "${old}"` });
    expect(await node.exited).toBe(1);
    expect(node.said()).toMatch(
      /^munshi: this needs Node 24 or later, and .+ is v20\.20\.2\. Run "npm ci", which installs one; .+\n$/,
    );
  });
});

test('every script of a package.json that runs something of Node goes through it', () => {
  const commands = filesOf(
    'package.json',
    'packages/*/package.json',
    'apps/*/package.json',
  ).flatMap((file) => {
    const { scripts = {} } = JSON.parse(read(file)) as {
      readonly scripts?: Readonly<Record<string, string>>;
    };
    return Object.values(scripts).flatMap((script) =>
      script.split('&&').map((command) => command.trim()),
    );
  });
  expect(commands.length).toBeGreaterThan(20);
  expect(
    commands.filter(
      (command) =>
        !/^((\w+=\S+ )*exec sh (\.\.\/\.\.\/)?bin\/run |npm run -s |for peer in )/.test(command),
    ),
  ).toEqual([]);
});
