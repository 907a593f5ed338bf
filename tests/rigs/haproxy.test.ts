import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { read } from '../tidy/sources.ts';

/** Debian installs servers where only root looks. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;
const PATIENCE = { timeout: 20_000 };
const HEADER_BYTES = 12;
const TYPE_A = 1;
const FOUND = 0x8180;
const NO_SUCH_NAME = 0x8183;

/** What the DNS of Docker knows: a container's address by its name, while it runs. */
const addresses = new Map<string, string>();
const dns = createSocket('udp4', (question, { port, address }) => {
  dns.send(answerTo(question), port, address);
});

/** The question once more, with the address if it asks for one (RFC 1035). */
function answerTo(asked: Buffer): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = asked.readUInt8(at); length > 0; length = asked.readUInt8(at)) {
    labels.push(asked.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const address = addresses.get(labels.join('.'));
  const isAnswered = address !== undefined && asked.readUInt16BE(at + 1) === TYPE_A;
  const answer = Buffer.from(asked.subarray(0, at + 5));
  answer.writeUInt16BE(address === undefined ? NO_SUCH_NAME : FOUND, 2);
  answer.writeUInt16BE(isAnswered ? 1 : 0, 6);
  answer.writeUInt32BE(0, 8);
  if (!isAnswered) return answer;
  // A pointer to the name, type A of the internet, for a minute, four bytes.
  const record = Buffer.from('c00c000100010000003c0004', 'hex');
  return Buffer.concat([answer, record, Buffer.from(address.split('.').map(Number))]);
}

/** Stands for a process: ready, and says where it is. */
async function listenAt(host: string, port: number): Promise<Server> {
  const server = createServer((_, response) => response.end(host)).listen(port, host);
  await once(server, 'listening');
  return server;
}

let folder: string;
let haproxy: ChildProcess;
let url: string;
let port: number;
beforeAll(async () => {
  if (spawnSync('haproxy', ['-v'], { env: { PATH } }).error)
    throw new Error('HAProxy is missing: apt-get install haproxy');
  dns.bind(0, '127.0.0.1');
  await once(dns, 'listening');
  folder = await mkdtemp(path.join(tmpdir(), 'munshi-haproxy-'));
  port = await freePort();
  const own = await freePort();
  url = `http://127.0.0.1:${own}`;
  const file = path.join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    read('deploy/haproxy/haproxy.cfg')
      .replace('bind :3000', `bind 127.0.0.1:${own}`)
      .replace('127.0.0.11:53', `127.0.0.1:${dns.address().port}`)
      // This machine's own DNS knows no such names, and may take its time to say so.
      .replaceAll('init-addr last,libc,none', 'init-addr none')
      .replaceAll(/(http[12]):3000/g, `$1:${port}`),
  );
  haproxy = spawn('haproxy', ['-db', '-f', file], { env: { PATH }, stdio: 'ignore' });
});
afterAll(async () => {
  if (haproxy?.exitCode === null) {
    haproxy.kill('SIGTERM');
    await once(haproxy, 'exit');
  }
  dns.close();
  if (folder !== undefined) await rm(folder, { recursive: true });
});

const answered = () =>
  fetch(url).then(
    (got) => got.text(),
    (error: Error) => error.message,
  );

test('a process that comes back at another address gets requests again', async () => {
  const first = await listenAt('127.0.0.2', port);
  addresses.set('http1', '127.0.0.2');
  await expect.poll(answered, PATIENCE).toBe('127.0.0.2');

  first.closeAllConnections();
  first.close();
  await once(first, 'close');
  const second = await listenAt('127.0.0.3', port);
  addresses.set('http1', '127.0.0.3');
  await expect.poll(answered, PATIENCE).toBe('127.0.0.3');
  second.closeAllConnections();
  second.close();
});
