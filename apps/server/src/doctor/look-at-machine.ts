import { readFile, statfs } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { createConnector } from '../platform/outbound/connect.ts';
import { whyItFailed } from '../platform/outbound/failure.ts';
import { createResolver } from '../platform/outbound/resolve.ts';
import type { HostFacts, MachineFacts } from './facts.ts';

/** `dataPath`: where the database keeps its data, if that is on this machine and known. */
export async function lookAtMachine(dataPath: string | undefined): Promise<MachineFacts> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return {
    disk: await lookAtDisk(dataPath),
    openFilesMax: soft === undefined ? undefined : Number(soft),
  };
}

const UNSEEN = { error: 'The disk of the database cannot be looked at from here.' };

async function lookAtDisk(dataPath: string | undefined): Promise<MachineFacts['disk']> {
  if (dataPath === undefined) return UNSEEN;
  const found = await statfs(dataPath).catch(() => undefined);
  if (found === undefined) return UNSEEN;
  const { bavail, blocks, bsize } = found;
  return { path: dataPath, freeBytes: bavail * bsize, bytes: blocks * bsize };
}

const CONNECT_MS = 5_000;
const HTTPS = 443;

/** Opens a connection to each host as the sender of webhooks does, and sends nothing. */
export function tryHosts(
  hosts: readonly string[],
  rules: { readonly allowPrivate: boolean },
): Promise<readonly HostFacts[]> {
  const resolve = createResolver(rules);
  const connect = createConnector({ ...rules, resolve }, AbortSignal.timeout(CONNECT_MS));
  return Promise.all(
    hosts.map(async (host) => {
      const { hostname, port } = new URL(`tcp://${host}`);
      const options = { hostname, host: hostname, protocol: 'tcp:', port: port || String(HTTPS) };
      const error = await new Promise<Error | null>((done) => {
        connect(options, (failure, socket) => {
          (socket as Socket | null)?.destroy();
          done(failure);
        });
      });
      return { host, error: error === null ? undefined : whyItFailed(error) };
    }),
  );
}
