import pg from 'pg';
import type { Host } from '../../config/database-url.ts';
import { isHostTrouble, typed } from '../errors.ts';
import { type Client, throwTyped, within } from './client.ts';
import { createPrimaryFinder, nameOf, type PrimaryWatch } from './primary.ts';
import type { Claim } from './primary-search.ts';
import { POOL_SETTINGS, prepareSession, type Settings } from './session-settings.ts';

/** From asking for a connection to having one, the search for the primary included. */
const CONNECT_MS = 4_500;
/** Of that, for the search. */
const FIND_MS = 3_000;
/** For one host to say whether it is the primary. */
export const ASK_MS = 2_000;

const UNWATCHED: PrimaryWatch = { suspected() {}, lost() {}, found() {} };

/** For the metrics. */
export interface ConnectionStats {
  /**
   * Since the start; a failover is a primary that was lost and found, on another host or the same.
   */
  readonly failovers: number;
  /** Every host, and whether it is the primary as far as is known. */
  hosts(): readonly { readonly host: string; readonly primary: boolean }[];
  /** Open connections by what Postgres lists them as, for all names that there have been. */
  connections(): ReadonlyMap<string, number>;
}

/** Connects clients to the primary, which is searched for when it is unknown or does not answer. */
export interface Connector {
  /** Throws why the client cannot be connected; the next call may search again. */
  connect(client: Client, settings: Settings): Promise<void>;
  /** A connection to the client's host has failed. */
  suspect(client: Client, error: Error): void;
  /** Throws what is wrong with the hosts when the primary is not known by then. */
  findPrimary(patienceMs: number): Promise<void>;
  readonly stats: ConnectionStats;
  close(): void;
}

export function createConnector(
  hosts: readonly Host[],
  createClient: (applicationName: string) => Client,
  watch: PrimaryWatch = UNWATCHED,
  connectMs: number = CONNECT_MS,
): Connector {
  const open = new Set<Client>();
  const names = new Set<string>();
  let failovers = 0;
  const finder = createPrimaryFinder({
    hosts,
    watch: {
      ...watch,
      found(host, lostMs, reason) {
        if (lostMs !== undefined) failovers += 1;
        watch.found(host, lostMs, reason);
      },
    },
    async ask(host) {
      const client = createClient('munshi-search');
      try {
        return await within(ASK_MS, client, () => begin(client, host, POOL_SETTINGS));
      } catch (error) {
        return throwTyped(error as Error);
      } finally {
        client.end().catch(() => {});
      }
    },
    onFound(host) {
      for (const client of open) if (client.at !== undefined && client.at !== host) client.drop();
    },
  });

  /** Connects to this host, and answers what it is. */
  async function begin(
    client: Client,
    host: Host,
    settings: Settings,
    askMs = ASK_MS,
  ): Promise<Claim> {
    Object.assign(client, host);
    await new Promise<void>((resolve, reject) => {
      pg.Client.prototype.connect.call(client, (error: Error | null | undefined) =>
        error ? reject(error) : resolve(),
      );
    });
    return prepareSession(client, settings, askMs, hosts.length > 1);
  }

  return {
    async connect(client, settings) {
      const started = performance.now();
      const host = await finder.find(FIND_MS);
      try {
        const leftMs = connectMs - (performance.now() - started);
        const askMs = ASK_MS + connectMs - CONNECT_MS;
        const claim = await within(leftMs, client, () => begin(client, host, settings, askMs));
        finder.confirm(claim);
      } catch (error) {
        client.drop();
        if (isHostTrouble(error as Error)) finder.suspect(host, error as Error);
        throw typed(error as Error);
      }
      client.at = host;
      open.add(client);
      names.add(client.name);
      client.once('end', () => open.delete(client));
      client.onTrouble = (error) => finder.suspect(host, error);
    },
    suspect({ at }, error) {
      if (at !== undefined && isHostTrouble(error)) finder.suspect(at, error);
    },
    findPrimary: async (patienceMs) => {
      await finder.find(patienceMs);
    },
    stats: {
      get failovers() {
        return failovers;
      },
      hosts: () => hosts.map((host) => ({ host: nameOf(host), primary: host === finder.known })),
      connections() {
        const counts = new Map([...names].map((name) => [name, 0]));
        for (const { name, at } of open)
          if (at !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
        return counts;
      },
    },
    close: finder.close,
  };
}
