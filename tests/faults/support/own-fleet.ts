import pg from 'pg';
import { type Service, startService } from '../../support/service.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';

/** A Postgres of its own, durable, with two server processes on it. */
export interface OwnFleet {
  readonly postgres: OwnPostgres;
  readonly service: Service;
  readonly fleet: Fleet;
  /** Another session, which ends with `close` at the latest. */
  connect(): Promise<pg.Client>;
  close(): Promise<void>;
}

export async function startOwnFleet(): Promise<OwnFleet> {
  const postgres = await startOwnPostgres();
  const service = await startService({ ROLES: 'http' }, postgres);
  const fleet = await startFleet(service, 2);
  const clients: pg.Client[] = [];
  return {
    postgres,
    service,
    fleet,
    async connect() {
      const { hosts, user, password, database } = postgres.target;
      const client = new pg.Client({ host: hosts[0]?.host ?? '', user, password, database });
      client.on('error', () => {});
      await client.connect();
      clients.push(client);
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.end().catch(() => {})));
      await fleet.close();
      await service.close();
      await postgres.close();
    },
  };
}
