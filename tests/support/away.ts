import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Service } from './service.ts';

/** A service that browsers reach by an address behind which it can be away. */
export interface AwayService extends Service {
  /** Cuts every connection, and refuses new ones. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
}

/** Passes every byte on while the service is there. */
export async function startAwayService(service: Service): Promise<AwayService> {
  const { hostname, port } = new URL(service.url);
  const sockets = new Set<Socket>();
  let server: Server;
  const listen = async (at: number) => {
    server = createServer((client) => {
      const behind = connect(Number(port), hostname);
      for (const [from, to] of [
        [client, behind],
        [behind, client],
      ] as const) {
        sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    }).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await listen(0);
  const goAway = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    ...service,
    url: `http://127.0.0.1:${own}`,
    goAway,
    async comeBack() {
      await listen(own);
    },
    close: goAway,
  };
}
