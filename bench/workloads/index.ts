import type { Workload } from '../bench.ts';
import { expiry, waitingWithdrawals } from './clockwork.ts';
import { commerce } from './commerce.ts';
import { consoleReads } from './console.ts';
import { creation, creationKinds } from './creation.ts';
import { arrivals, connections, members, processes, sizes } from './growth.ts';
import { mixed } from './mixed.ts';
import { outcomeWaits } from './outcome-waits.ts';
import { reads } from './reads.ts';
import { settlement } from './settlement.ts';
import { startUp } from './start-up.ts';
import { streams } from './streams.ts';
import { waitingPages } from './waiting-pages.ts';
import { webhooks } from './webhooks.ts';

/** Every workload, in the order in which they run. */
export const WORKLOADS: readonly Workload[] = [
  creation,
  creationKinds,
  connections,
  arrivals,
  settlement,
  reads,
  mixed,
  waitingPages,
  outcomeWaits,
  streams,
  webhooks,
  waitingWithdrawals,
  expiry,
  startUp,
  processes,
  members,
  sizes,
  consoleReads,
  commerce,
];
