import type pg from 'pg';

/** The engine's connections: while the commit of one batch is on its way on one of them, the next is loaded on another. */
export interface Lanes {
  /** One on which nothing is on its way, opened if need be. Throws when the database cannot be reached. */
  take(): Promise<pg.Client>;
  /** Keeps it from being taken until `committed` has settled, which never fails. */
  occupy(client: pg.Client, committed: Promise<void>): void;
  /** Gives up a broken one; what is on its way on it fails. */
  drop(client: pg.Client): void;
  dropAll(): void;
  close(): Promise<void>;
}

interface Lane {
  readonly client: pg.Client;
  committing: Promise<void> | undefined;
}

/** After a further connection was refused, as when all are taken, those that are open do for this long. */
const CONTENT_MS = 5_000;

export function createLanes(open: () => Promise<pg.Client>, most: number): Lanes {
  let lanes: Lane[] = [];
  let contentUntil = Number.NEGATIVE_INFINITY;

  async function openAnother(): Promise<pg.Client | undefined> {
    try {
      const client = await open();
      lanes.push({ client, committing: undefined });
      return client;
    } catch (error) {
      if (lanes.length === 0) throw error;
      contentUntil = performance.now() + CONTENT_MS;
      return undefined;
    }
  }

  function drop(client: pg.Client) {
    lanes = lanes.filter((lane) => lane.client !== client);
    client.connection.stream.destroy();
  }

  return {
    async take() {
      for (;;) {
        const free = lanes.find(({ committing }) => committing === undefined);
        if (free !== undefined) return free.client;
        if (lanes.length === 0 || (lanes.length < most && performance.now() > contentUntil)) {
          const opened = await openAnother();
          if (opened !== undefined) return opened;
        } else await Promise.race(lanes.map(({ committing }) => committing));
      }
    },
    occupy(client, committed) {
      const lane = lanes.find((each) => each.client === client);
      if (lane === undefined) return;
      lane.committing = committed.then(() => {
        lane.committing = undefined;
      });
    },
    drop,
    dropAll() {
      for (const { client } of lanes) drop(client);
    },
    async close() {
      await Promise.all(lanes.map(({ client }) => client.end().catch(() => {})));
    },
  };
}
