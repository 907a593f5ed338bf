import { Client } from 'undici';
import { type ConnectorOptions, createConnector } from './connect.ts';
import { skipContinue } from './interim.ts';

/**
 * Shorter than the time after which servers close idle connections, which would lose the attempt
 * sent at that moment.
 */
const IDLE_MS = 1_000;
const IDLE_MAX = 128;
interface Connection {
  readonly client: Client;
  readonly abort: AbortController;
  /** Whether its socket is open. */
  connected: boolean;
  /** Says that the next answer begins. */
  nextAnswer: () => void;
}

/**
 * Connections to receivers. Each carries one attempt at a time, and is used again only if its last
 * answer was read to the end.
 */
export function createConnections(options: ConnectorOptions) {
  const idle = new Map<string, Connection[]>();
  const open = new Set<Connection>();

  function take(origin: string): Connection {
    const waiting = idle.get(origin);
    for (let known = waiting?.pop(); known !== undefined; known = waiting?.pop())
      if (!known.client.destroyed) return known;
    const abort = new AbortController();
    const connect = createConnector(options, abort.signal);
    const client = new Client(origin, {
      connect: (to, callback) =>
        connect(to, (...result) => {
          const [, socket] = result;
          if (socket !== null) connection.nextAnswer = skipContinue(socket);
          callback(...result);
        }),
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    });
    const connection: Connection = { client, abort, connected: false, nextAnswer() {} };
    client.on('connect', () => {
      connection.connected = true;
    });
    client.on('disconnect', () => {
      connection.connected = false;
      // One that an attempt has taken reconnects by itself.
      if (idle.get(origin)?.includes(connection)) drop(connection, origin);
    });
    open.add(connection);
    return connection;
  }

  function drop(connection: Connection, origin: string) {
    if (!open.delete(connection)) return;
    const left = idle.get(origin)?.filter((one) => one !== connection) ?? [];
    if (left.length === 0) idle.delete(origin);
    else idle.set(origin, left);
    connection.abort.abort(new Error('The attempt is over.'));
    connection.client.destroy().catch(() => {});
  }

  function keep(connection: Connection, origin: string) {
    const waiting = idle.get(origin) ?? [];
    if (!connection.connected || waiting.length >= IDLE_MAX) return drop(connection, origin);
    connection.nextAnswer();
    idle.set(origin, waiting);
    waiting.push(connection);
  }

  return {
    /** An idle connection, or a new one. */
    take,
    /** Makes it available to the next attempt. */
    keep,
    drop,
    async close() {
      await Promise.all([...open].map(({ client }) => client.destroy().catch(() => {})));
    },
  };
}
