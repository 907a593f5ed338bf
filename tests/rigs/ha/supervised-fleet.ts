import { type Fleet, startFleet } from '../../faults/support/fleet.ts';
import { pace } from '../../support/pace.ts';
import { addressOf } from './network.ts';
import { NODES, type Patroni } from './patroni.ts';

/** Processes of the service on the cluster, with what a supervisor does. */
export interface SupervisedFleet extends Fleet {
  /** Ends a process by this signal and starts it a second later, until it is up. */
  bounce(number: number, signal: NodeJS.Signals): Promise<void>;
  /** When it was last up after a bounce, by `performance.now()`. */
  upAt(number: number): number;
}

const RESTART_MS = 1_000;

export async function startSupervisedFleet(
  { runtime }: Pick<Patroni, 'runtime'>,
  url: string,
  size: number,
): Promise<SupervisedFleet> {
  const { user, password, database } = runtime;
  const hosts = NODES.map(addressOf).join(',');
  const DATABASE_URL = `postgres://${user}:${encodeURIComponent(password)}@${hosts}/${database}?sslmode=disable`;
  const fleet = await startFleet({ target: runtime, url }, size, { DATABASE_URL });
  const upAt = Array.from({ length: size }, () => 0);
  return {
    ...fleet,
    async bounce(number, signal) {
      await fleet.end(number, signal);
      for (let up = false; !up; ) {
        await pace(RESTART_MS); // pace: as systemd does
        // A start waits 30 s for a primary, and stops then.
        up = await fleet.restart(number).then(
          () => true,
          () => false,
        );
      }
      upAt[number] = performance.now();
    },
    upAt: (number) => upAt[number] ?? 0,
  };
}
