import type { Socket } from 'node:net';
import { pino } from 'pino';
import { type App, createApp } from '../../apps/server/src/app/app.ts';
import type { DatabaseTarget } from '../../apps/server/src/platform/config/database-url.ts';
import { type Config, readConfig } from '../../apps/server/src/platform/config.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { UnavailableError } from '../../apps/server/src/platform/database/errors.ts';
import { createResolver } from '../../apps/server/src/platform/outbound/resolve.ts';
import { createSender, type Sender } from '../../apps/server/src/platform/outbound/send.ts';
import { type Clone, cloneDatabase } from './database.ts';
import { PATIENCE_MS, TEST_MS } from './patience.ts';
import { TIMED } from './promises.ts';

export const OPERATOR_TOKEN = 'op_test-operator-one';
export const OPERATOR_TOKEN_2 = 'op_test-operator-two';
export const MASTER_KEY = '6d'.repeat(32);

/** The real service on a database of its own, listening on a free port. */
export interface Service {
  readonly app: App;
  readonly url: string;
  /** As the superuser; of a second service on one database, its own connections. */
  readonly database: Database;
  /** As the role that the service runs as. */
  readonly target: DatabaseTarget;
  /** As the role that removes what is kept no longer; undefined of a second service. */
  readonly retention: DatabaseTarget | undefined;
  /** Changes tables, functions and triggers, as the superuser. */
  readonly alter: Clone['alter'];
  close(): Promise<void>;
}

/**
 * Starts the service; with `sharing`, a second one on the same database, like another process.
 * Receivers, and the service itself, have as much time to answer as tests have patience: how soon an
 * attempt at one that hangs is over is the sender's own test.
 */
export async function startService(
  env: Record<string, string> = {},
  sharing?: Pick<Service, 'target'>,
): Promise<Service> {
  const clone = sharing === undefined ? await cloneDatabase() : undefined;
  const target = sharing?.target ?? (clone as Clone).target;
  const served = openDatabase(target, { poolSize: 6 });
  const config = readConfig({
    PORT: '0',
    OPERATOR_TOKEN,
    OPERATOR_TOKEN_2,
    CLOCK: 'sandbox',
    ALLOW_PRIVATE_CALLBACKS: '1',
    MASTER_KEY,
    ...env,
  });
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  const settings = {
    ...config,
    masterKey: config.masterKey as string,
    retentionDatabase: clone?.retention,
  };
  await Promise.all(Array.from({ length: START_CONNECTIONS }, () => connect(served)));
  const app = await createApp(
    settings,
    served,
    log,
    TIMED ? {} : { sender: patientSender(config), answerMs: PATIENCE_MS },
  );
  const sockets = new Set<Socket>();
  app.http.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const url = await app.listen();
  return {
    app,
    url,
    database: clone?.database ?? served,
    target,
    retention: clone?.retention,
    async alter(text) {
      if (clone === undefined) throw new Error('a second service alters nothing');
      await clone.alter(text);
    },
    async close() {
      // No test asks by a kept connection now, and the service would wait half a second for it.
      app.http.server.closeIdleConnections();
      // One that was opened and never used is waited for ten seconds: a request may be on its way.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      await app.close();
      await served.close();
      await clone?.drop();
    },
  };
}

/** As many as the start uses at once. */
const START_CONNECTIONS = 3;

/**
 * The first of its connections, which the start works on. The service gives one up after two
 * seconds, which beside much else is too soon.
 */
async function connect({ pool }: Database): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    try {
      await pool.query('select');
      return;
    } catch (error) {
      if (!(error instanceof UnavailableError) || performance.now() > end) throw error;
    }
  }
}

/** A webhook waits for its receiver as long as a test may take, however little the service reads. */
function patientSender({ allowPrivateCallbacks: allowPrivate }: Config): Sender {
  const resolve = createResolver({ allowPrivate });
  return createSender({ allowPrivate, resolve, timeoutMs: TEST_MS, stalledMs: TEST_MS });
}
