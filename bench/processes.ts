import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { complain } from './complaints.ts';
import type { Environment } from './environment.ts';

export const ROOT = path.join(import.meta.dirname, '..');
export const PEERS = path.join(import.meta.dirname, 'peers');

const METRICS_TOKEN = 'bench-metrics';

/** A process under load, with its costs. */
export interface RunningProcess {
  readonly child: ChildProcess;
  /** CPU seconds used so far, user and system; undefined if the system does not report them. */
  cpuSeconds(): Promise<number | undefined>;
  /** Resident memory in MiB. */
  rssMiB(): Promise<number | undefined>;
  stop(): Promise<void>;
}

export interface RunningServer extends RunningProcess {
  readonly url: string;
  /** Numbers from its /metrics; undefined if it has none. */
  metrics(): Promise<Readonly<Record<string, number>> | undefined>;
}

interface StartCommand {
  readonly env: Readonly<Record<string, string>>;
  /** Options of Node, and the script last. */
  readonly args: readonly string[];
}

/** What `bin/serve` runs, and `npm start` with it. */
export function startCommand(): StartCommand {
  const text = readFileSync(path.join(ROOT, 'bin', 'serve'), 'utf8').replaceAll('\\\n', ' ');
  const [, command] = /^exec node (--.+?) +"\$here\/\.\.\/(?=apps)/m.exec(text) ?? [];
  if (command === undefined) throw new Error(`bin/serve has changed: ${text}`);
  return {
    env: Object.fromEntries(
      text.matchAll(/^export (\w+)=(\S+)$/gm).map(([, name, value]) => [name, value]),
    ),
    args: [...command.split(/\s+/), path.join(ROOT, 'apps', 'server', 'src', 'main.ts')],
  };
}

interface ServerOptions {
  /** Another server with the same settings: a ceiling or a peer. */
  readonly script?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A path that answers 2xx once it is up. */
  readonly ready?: string;
}

/** Starts a server as its users would and waits until it answers. */
export async function startServer(
  { env }: Pick<Environment, 'env'>,
  options: ServerOptions = {},
): Promise<RunningServer> {
  const port = await freePort();
  const start = startCommand();
  const script = options.script ?? (start.args.at(-1) as string);
  const production: Record<string, string> =
    options.env?.['ALLOW_PRIVATE_CALLBACKS'] === '1' ? {} : { NODE_ENV: 'production' };
  const running = run([...start.args.slice(0, -1), script], {
    env: { ...start.env, ...env, METRICS_TOKEN, ...production, ...options.env, PORT: String(port) },
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}${options.ready ?? '/readyz'}`, running.child);
  return { ...running, url, metrics: () => readMetrics(url) };
}

/**
 * The environment that every server inherits. The compile cache helps tests, which start many
 * servers.
 */
const PASSED_ON = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  ),
);

/** Runs a Node script with these arguments and settings. */
export function run(
  args: readonly string[],
  { env = {}, ...options }: SpawnOptions = {},
): RunningProcess {
  const child = spawn(process.execPath, [...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...options,
    env: { ...PASSED_ON, ...env },
  });
  children.add(child);
  // Only what it writes besides its start message is of interest.
  child.stderr?.on('data', (text: Buffer) => {
    if (/is listening on/.test(text.toString())) return;
    process.stderr.write(text);
    complain(text.toString());
  });
  child.once('exit', () => children.delete(child));
  const pid = child.pid as number;
  return {
    child,
    cpuSeconds: () => cpuSecondsOf(pid),
    rssMiB: () => rssMiBOf(pid),
    stop: () => stop(child),
  };
}

const children = new Set<ChildProcess>();
/** Ends everything that was started, at once. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
}
process.once('exit', killAll);

const PATIENCE_MS = 20_000;

/** Ends it, by force if it does not exit by itself. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  await exited;
  clearTimeout(timer);
}

/** Linux counts CPU time in hundredths of a second. */
const TICKS = 100;

async function statOf(pid: number): Promise<readonly number[] | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat
    ?.slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

/** A process and its living descendants. */
async function treeOf(pid: number): Promise<readonly number[]> {
  const children = new Map<number, number[]>();
  for (const entry of await readdir('/proc').catch(() => [])) {
    const parent = /^\d+$/.test(entry) ? (await statOf(Number(entry)))?.[1] : undefined;
    if (parent !== undefined)
      children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const below = (root: number): readonly number[] => [
    root,
    ...(children.get(root) ?? []).flatMap(below),
  ];
  return below(pid);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** CPU seconds of a process and its descendants. */
async function cpuSecondsOf(pid: number): Promise<number | undefined> {
  const stats = await Promise.all((await treeOf(pid)).map(statOf));
  if (stats[0] === undefined) return undefined;
  return sum(stats.map((fields) => (fields?.[11] ?? 0) + (fields?.[12] ?? 0))) / TICKS;
}

/** Resident bytes of a process and its descendants. */
async function rssMiBOf(pid: number): Promise<number | undefined> {
  const pages = (
    await Promise.all(
      (await treeOf(pid)).map((each) => readFile(`/proc/${each}/status`, 'utf8').catch(() => '')),
    )
  ).map((status) => /VmRSS:\s+(\d+) kB/.exec(status)?.[1]);
  return pages[0] === undefined ? undefined : sum(pages.map(Number)) / 1024;
}

/**
 * CPU seconds of a Postgres so far: the postmaster, its living children and those that have ended.
 */
export async function postgresCpuSeconds(postmaster: number): Promise<number | undefined> {
  const [own, living] = [await statOf(postmaster), await cpuSecondsOf(postmaster)];
  return own && living !== undefined
    ? living + ((own[13] ?? 0) + (own[14] ?? 0)) / TICKS
    : undefined;
}

async function readMetrics(url: string): Promise<Readonly<Record<string, number>> | undefined> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  }).catch(() => undefined);
  if (!response?.ok) return undefined;
  const text = await response.text();
  return Object.fromEntries(
    [...text.matchAll(/^(\w+) ([\d.e+]+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  );
}

/** Waits until the address answers 2xx; throws when the process ends before. */
export async function answering(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the server of ${url} ended with ${child.exitCode ?? child.signalCode}`);
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
