import type { Random } from '../../faults/support/size.ts';
import { pace } from '../../support/pace.ts';
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
const OVERTAKEN_MS = 30_000;

export const FAULTS = {
  pgkill: {
    what: 'the main process of the primary killed',
    act: ({ patroni, leader }) => patroni.signal(leader, 'postmaster', 'SIGKILL'),
  },
  nodekill: {
    what: 'Postgres and Patroni of the primary killed',
    async act({ patroni, leader }) {
      await patroni.signal(leader, 'node', 'SIGKILL');
      await pace(OVERTAKEN_MS); // pace: it stays down
    },
  },
  freeze: {
    what: 'Postgres and Patroni of the primary stopped for 30 to 60 s, then going on',
    async act({ patroni, leader, random }) {
      await patroni.signal(leader, 'node', 'SIGSTOP');
      await pace(OVERTAKEN_MS + random(30_000)); // pace: it stands still
      await patroni.signal(leader, 'node', 'SIGCONT');
    },
  },
  cut: {
    what: 'the primary cut off the network for 35 to 50 s, then back',
    async act({ patroni, leader, random }) {
      patroni.cut(leader);
      await pace(35_000 + random(15_000)); // pace: it is away
      patroni.heal(leader);
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
