import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import type { DatabaseTarget } from '../../apps/server/src/platform/config/database-url.ts';

/** A TCP proxy between a service and its Postgres that breaks connections on command. */
export interface DatabaseProxy {
  /** The same database, through this proxy. */
  readonly target: DatabaseTarget;
  /**
   * `open`: everything passes. `reset`: connections are cut, new ones at once. `silent`:
   * connections stay open and new ones are accepted, but nothing passes.
   */
  set(mode: 'open' | 'reset' | 'silent'): void;
  /**
   * The present connections fall silent for good, as if their host had vanished; new ones work.
   */
  strand(): void;
  /**
   * All connections fall silent at the next statement that contains this text. Resolves when they
   * have.
   */
  silenceAt(text: string): Promise<void>;
  /**
   * The next so many commits are carried out, but their connections are cut before the answer.
   */
  loseCommits(count: number): void;
  /** How many have been lost so far. */
  lostCommits(): number;
  close(): Promise<void>;
}

export async function startDatabaseProxy(target: DatabaseTarget): Promise<DatabaseProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let mode: 'open' | 'reset' | 'silent' = 'open';
  const stranded = new WeakSet<readonly [Socket, Socket]>();
  let fatal: { readonly text: string; silent(): void } | undefined;
  let toLose = 0;
  let lost = 0;

  const server = createServer((client) => {
    if (mode === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const { host = '', port = 5432 } = target.hosts[0] ?? {};
    const database = host.startsWith('/')
      ? connect(path.join(host, `.s.PGSQL.${port}`))
      : connect(port, host);
    const pair = [client, database] as const;
    pairs.add(pair);
    const cut = () => {
      pairs.delete(pair);
      client.destroy();
      database.destroy();
    };
    for (const socket of pair) {
      socket.on('error', cut);
      socket.on('close', cut);
    }
    client.on('data', (bytes) => {
      if (fatal !== undefined && bytes.includes(fatal.text)) {
        mode = 'silent';
        fatal.silent();
        fatal = undefined;
      }
      if (mode !== 'silent' && !stranded.has(pair)) database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (mode === 'silent' || stranded.has(pair)) return;
      // The tag of a CommandComplete message.
      if (toLose > 0 && bytes.includes('COMMIT\0')) {
        toLose -= 1;
        lost += 1;
        cut();
      } else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cutAll = () => {
    for (const [client, database] of pairs) {
      client.resetAndDestroy();
      database.destroy();
    }
  };
  return {
    target: { ...target, hosts: [{ host: '127.0.0.1', port }] },
    set(next) {
      // What was dropped is lost: a connection that has been silent cannot go on.
      if (next === 'reset' || (mode === 'silent' && next === 'open')) cutAll();
      mode = next;
    },
    strand() {
      for (const pair of pairs) stranded.add(pair);
    },
    silenceAt(text) {
      return new Promise((silent) => {
        fatal = { text, silent };
      });
    },
    loseCommits(count) {
      toLose = count;
    },
    lostCommits: () => lost,
    async close() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}
