import { once } from 'node:events';
import { createServer } from 'node:net';
import { explainListening } from './start-errors.ts';

/**
 * Fails in one line, before a database is made or changed, if the service could not listen where
 * its settings say. Afterwards the address is free again, so listening itself can still fail.
 */
export async function expectFreePort(place: {
  readonly host: string;
  readonly port: number;
}): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  try {
    await once(server.listen(place), 'listening');
  } catch (error) {
    explainListening(error as Error, place);
  }
  server.close();
  await once(server, 'close');
}
