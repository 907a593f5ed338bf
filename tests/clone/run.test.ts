import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listenTo } from '../support/spoken.ts';
import { filesOf, ROOT, read } from '../tidy/sources.ts';

/** With a `node` that is this one. */
const PATH = [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter);
/** Has no package of Node beside it: nothing was installed. */
let bare: string;
/** Has one, for this platform. */
let packed: string;

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
  packed = path.join(bare, 'packed');
  cpSync(path.join(bare, 'bin'), path.join(packed, 'bin'), { recursive: true });
  cpSync(path.join(bare, 'package.json'), path.join(packed, 'package.json'));
  for (const name of Object.keys(JSON.parse(read('package.json')).optionalDependencies)) {
    mkdirSync(path.join(packed, 'node_modules', name), { recursive: true });
    writeFileSync(
      path.join(packed, 'node_modules', name, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', bin: { node: 'bin/node' } }),
    );
  }
});
afterAll(() => rmSync(bare, { recursive: true, force: true }));

/** Has bin/node-folder.cjs run on another version or architecture, and nothing else. */
function pretend({ version, arch = process.arch }: { version: string; arch?: string }) {
  const file = path.join(bare, `${version}-${arch}.cjs`);
  const values = JSON.stringify({ version, arch, node: version.slice(1) });
  writeFileSync(
    file,
    `const { version, arch, node } = ${values};
    if (String(process.argv[1]).endsWith('node-folder.cjs'))
      Object.defineProperties(process, { version: { value: version }, arch: { value: arch }, versions: { value: { node } } });`,
  );
  return { NODE_OPTIONS: `--require "${file}"` };
}

/** As npm runs a script. */
const under = (script: string) => ({
  npm_lifecycle_event: script,
  npm_node_execpath: process.execPath,
});

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

  test.each(['v12.22.12', 'v18.19.0', 'v20.18.3', 'v21.7.3', 'v22.11.0'])(
    'under npm on Node %s it says which one is needed, although the package would run',
    async (version) => {
      for (const script of ['preinstall', 'prepare', 'start', 'test']) {
        const node = run(packed, ['echo', 'it runs'], {
          ...pretend({ version }),
          ...under(script),
        });
        expect(await node.exited).toBe(1);
        expect(node.said()).toMatch(
          /^munshi: this needs Node 20\.19, 22\.12 or later, and .+ is v[\d.]+\. Install Node 24 \(https:\S+\), then run "npm ci"\.\n$/,
        );
      }
    },
  );

  test.each(['v20.19.0', 'v22.12.0', 'v23.0.0', 'v24.0.0', 'v26.1.0'])(
    'under npm on Node %s it runs',
    async (version) => {
      const node = run(packed, ['echo', 'it runs'], { ...pretend({ version }), ...under('start') });
      expect(await node.exited, node.said()).toBe(0);
      expect(node.said()).toBe('it runs\n');
    },
  );

  test('without npm any Node finds the package, such as the old one of a system', async () => {
    const node = run(packed, ['echo', 'it runs'], pretend({ version: 'v18.19.0' }));
    expect(await node.exited, node.said()).toBe(0);
  });

  test('before anything is installed it lets npm install, and otherwise says to', async () => {
    const env = pretend({ version: 'v22.22.2' });
    const first = run(bare, ['echo', 'it runs'], { ...env, ...under('preinstall') });
    expect(await first.exited, first.said()).toBe(0);
    const start = run(bare, ['echo', 'it runs'], { ...env, ...under('start') });
    expect(await start.exited).toBe(1);
    expect(start.said()).toMatch(
      /^munshi: this runs on Node 24, and .+ is v22\.22\.2\. Run "npm ci", which installs Node 24, .+\n$/,
    );
  });

  test('where npm has no Node for the platform, the least is the one that the service runs on', async () => {
    const elsewhere = { arch: 'riscv64' };
    for (const script of ['preinstall', 'start']) {
      const env = { ...pretend({ version: 'v22.22.2', ...elsewhere }), ...under(script) };
      const node = run(bare, ['echo', 'it runs'], env);
      expect(await node.exited).toBe(1);
      expect(node.said()).toMatch(
        /^munshi: this needs Node 24 or later \(npm has none that runs on this \w+-riscv64\), and .+ is v22\.22\.2\. Install Node 24 .+\n$/,
      );
    }
    const enough = { ...pretend({ version: 'v24.0.0', ...elsewhere }), ...under('preinstall') };
    expect(await run(bare, ['echo', 'it runs'], enough).exited).toBe(0);
  });

  test('npm ci on an old Node ends with that line before anything is built', async () => {
    const folder = path.join(bare, 'installed');
    cpSync(path.join(bare, 'bin'), path.join(folder, 'bin'), { recursive: true });
    const { name, version, engines, scripts } = JSON.parse(read('package.json'));
    const manifest = { name, version, engines, optionalDependencies: {} };
    const { preinstall } = scripts;
    const write = (file: string, content: object) =>
      writeFileSync(path.join(folder, file), JSON.stringify(content));
    write('package.json', { ...manifest, scripts: { preinstall, prepare: 'echo building' } });
    write('package-lock.json', { name, version, lockfileVersion: 3, packages: { '': manifest } });
    const npm = listenTo('npm', ['ci', '--offline', '--loglevel=error'], {
      cwd: folder,
      env: { PATH, HOME: bare, ...pretend({ version: 'v18.19.0' }) },
    });
    expect(await npm.exited).not.toBe(0);
    expect(npm.said()).toMatch(/^munshi: this needs Node .+$/m);
    expect(
      npm
        .said()
        .split('munshi: ')[0]
        ?.replaceAll(/^(> .*)?\n/gm, ''),
    ).toBe('');
    expect(npm.said()).not.toContain('building');
  });
});

test('the file that refuses an old Node can be read by Node 12', () => {
  const code = read('bin/node-folder.cjs').replaceAll(/^\s*\/\/.*$/gm, '');
  expect(code).toContain('require(');
  expect(code.match(/\?\?|\?\.|\|\|=|&&=|node:|\.at\(|replaceAll|Object\.hasOwn/g)).toBeNull();
});

/** npm leaves an optional package out without a word if the Node that it runs on is too old for it. */
test('what the repository needs is what its optional packages need', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<
      Record<string, { optional?: true; cpu?: string | string[]; engines?: { node?: string } }>
    >;
  };
  const ranges = Object.entries(packages)
    .filter(
      ([, { optional, cpu }]) =>
        optional && [cpu].flat().some((name) => /^(x|arm)64$/.test(name ?? '')),
    )
    .map(([, { engines }]) => (engines?.node ?? '>=0').replaceAll(/(>=) /g, '$1'));
  expect(ranges).toContain(packages['']?.engines?.node);
  for (const least of ['20.19.0', '22.12.0', '24.0.0'])
    expect(ranges.filter((range) => !isInRange(least, range))).toEqual([]);
});

/** By the major and minor number, which is all that these ranges differ in. */
function isInRange(version: string, range: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return range.split(' || ').some((part) => {
    const [, sign, from = 0, above = 0] = /^(\^|>=)(\d+)\.?(\d+)?/.exec(part) ?? [];
    if (sign === undefined) throw new Error(`this test cannot read ${range}`);
    return major === Number(from) ? minor >= Number(above) : sign === '>=' && major > Number(from);
  });
}

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
    commands.filter((command) => !/^((\w+=\S+ )*exec sh (\.\.\/\.\.\/)?bin\/run )/.test(command)),
  ).toEqual([]);
});
