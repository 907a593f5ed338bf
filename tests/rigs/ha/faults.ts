import { spawn } from 'node:child_process';
import type { Random } from '../../faults/support/size.ts';
import { pace } from '../../support/pace.ts';
import { load } from '../../support/promises.ts';
import { NODES, type Patroni } from './patroni.ts';
import type { SupervisedFleet } from './supervised-fleet.ts';

/** What a fault finds when it begins: a whole cluster under load. */
export interface Scene {
  readonly patroni: Patroni;
  readonly fleet: SupervisedFleet;
  readonly leader: number;
  readonly synchronous: number;
  readonly random: Random;
}

interface Fault {
  /** For people who read the table. */
  readonly what: string;
  /** Resolves when it is over, with the processes up again; nodes that are down are started after. */
  act(scene: Scene): Promise<void>;
}

/** Longer than Patroni's `ttl`, so that another node leads before the old one is back. */
const overtakenMs = ({ ttlMs }: Patroni) => ttlMs + 10_000;
const BUSY_MS = 40_000;
const BUSY_PROCESSES = 8;
/** A tenth of what a process of equal priority gets. */
const NICE = 10;

export const FAULTS = {
  pgkill: {
    what: 'the main process of the primary killed',
    act: ({ patroni, leader }) => patroni.signal(leader, 'postmaster', 'SIGKILL'),
  },
  nodekill: {
    what: 'Postgres and Patroni of the primary killed',
    async act({ patroni, leader }) {
      await patroni.signal(leader, 'node', 'SIGKILL');
      await pace(overtakenMs(patroni)); // pace: it stays down
    },
  },
  freeze: {
    what: 'Postgres and Patroni of the primary stopped until 10 to 30 s after the `ttl`, then going on',
    async act({ patroni, leader, random }) {
      await patroni.signal(leader, 'node', 'SIGSTOP');
      await pace(overtakenMs(patroni) + random(20_000)); // pace: it stands still
      await patroni.signal(leader, 'node', 'SIGCONT');
    },
  },
  cut: {
    what: 'the primary cut off the network until 10 to 30 s after the `ttl`, then back',
    async act({ patroni, leader, random }) {
      patroni.cut(leader);
      await pace(overtakenMs(patroni) + random(20_000)); // pace: it is away
      patroni.heal(leader);
    },
  },
  busy: {
    what: 'the host of the primary busy for 40 s: a tenth of what each of eight busy processes gets',
    async act({ patroni, leader }) {
      const missing = Math.max(0, BUSY_PROCESSES - Math.round(load()));
      const loops = Array.from({ length: missing }, () =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      );
      await patroni.renice(leader, NICE);
      await pace(BUSY_MS); // pace: it stays busy
      for (const loop of loops) loop.kill('SIGKILL');
      await patroni.renice(leader, 0);
    },
  },
  etcdkill: {
    what: 'the leader of etcd killed',
    async act({ patroni }) {
      patroni.killEtcd(await patroni.etcdLeader());
      await pace(15_000); // pace: it stays down
    },
  },
  switchover: {
    what: 'the lead handed over, as for maintenance',
    act: ({ patroni }) => patroni.switchOver(),
  },
  synckill: {
    what: 'Postgres and Patroni of the synchronous standby killed',
    async act({ patroni, synchronous }) {
      await patroni.signal(synchronous, 'node', 'SIGKILL');
      await pace(15_000); // pace: it stays down
    },
  },
  standbys: {
    what: 'both standbys killed for 45 s: every commit waits',
    async act({ patroni, leader }) {
      for (const node of NODES) if (node !== leader) await patroni.signal(node, 'node', 'SIGKILL');
      await pace(45_000); // pace: nobody follows
    },
  },
  munshikill: {
    what: 'the primary’s main process killed, and a process of the service some seconds later',
    async act({ patroni, leader, fleet, random }) {
      await patroni.signal(leader, 'postmaster', 'SIGKILL');
      await pace(500 + random(4_000)); // pace: in the middle of the search
      await fleet.bounce(random(fleet.size), 'SIGKILL');
    },
  },
  both: {
    what: 'the node of the primary killed, and both processes, which start while nobody leads',
    async act({ patroni, leader, fleet, random }) {
      await patroni.signal(leader, 'node', 'SIGKILL');
      await pace(random(3_000)); // pace: before it is noticed, or after
      await Promise.all([fleet.bounce(0, 'SIGKILL'), fleet.bounce(1, 'SIGKILL')]);
    },
  },
  rolling: {
    what: 'the processes restarted one after the other (SIGTERM)',
    async act({ fleet }) {
      await fleet.bounce(0, 'SIGTERM');
      await fleet.bounce(1, 'SIGTERM');
    },
  },
} satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;
