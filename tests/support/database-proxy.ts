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
  /**
   * Cuts the next transaction of a pooled connection before its statement of this number; `begin`
   * is the first. Answers a function that ends this and says whether it was cut.
   */
  cutTransaction(before: number): () => boolean;
  /** How many have been lost so far. */
  lostCommits(): number;
  close(): Promise<void>;
}

export async function startDatabaseProxy(target: DatabaseTarget): Promise<DatabaseProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let mode: 'open' | 'reset' | 'silent' = 'open';
  const stranded = new WeakSet<readonly [Socket, Socket]>();
  let fatal: { readonly text: string; silent(): void } | undefined;
  let cutting: { readonly before: number; pair?: unknown; sent: number } | undefined;
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
    const messagesIn = readMessages();
    const isCutBefore = ({ type, text }: Message): boolean => {
      if (cutting === undefined || (type !== 'Q' && type !== 'E')) return false;
      if (cutting.pair === undefined && text === 'begin') cutting.pair = pair;
      if (cutting.pair !== pair) return false;
      cutting.sent += 1;
      const isNow = cutting.sent === cutting.before;
      if (text === 'commit') cutting = undefined;
      return isNow;
    };
    client.on('data', (bytes) => {
      const fatalMessage = messagesIn(bytes).find(isCutBefore);
      if (fatalMessage !== undefined) {
        database.write(bytes.subarray(0, Math.max(0, fatalMessage.at)));
        cut();
        return;
      }
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
    cutTransaction(before) {
      const own: NonNullable<typeof cutting> = { before, sent: 0 };
      cutting = own;
      return () => {
        cutting = undefined;
        return own.sent >= before;
      };
    },
    lostCommits: () => lost,
    async close() {
      cutAll();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A message of a client. */
interface Message {
  /** The first letter of its kind: Q of a query, E of the execution of a prepared one. */
  readonly type: string;
  /** Of a query its SQL. */
  readonly text: string;
  /** Where it begins in the bytes that have just come; before them where it is below zero. */
  readonly at: number;
}

/** Reads the messages that end in each piece of what a client sends. */
function readMessages() {
  let rest = Buffer.alloc(0);
  let begun = false;
  return (bytes: Buffer): readonly Message[] => {
    const before = rest.length;
    let left = Buffer.concat([rest, bytes]);
    const messages: Message[] = [];
    for (let at = -before; ; ) {
      // The first message of a connection has no type.
      const head = begun ? 1 : 0;
      if (left.length < head + 4) break;
      const length = head + left.readUInt32BE(head);
      if (left.length < length) break;
      const type = left.toString('latin1', 0, head);
      const text = type === 'Q' ? left.toString('utf8', head + 4, length - 1) : '';
      messages.push({ type, text, at });
      left = left.subarray(length);
      at += length;
      begun = true;
    }
    rest = left;
    return messages;
  };
}
