import type { Workload } from '../bench.ts';
import { consoleReads } from './console.ts';
import { creation, creationKinds } from './creation.ts';
import { arrivals, connections, members, processes, sizes } from './growth.ts';
import { mixed } from './mixed.ts';
import { reads } from './reads.ts';
import { settlement } from './settlement.ts';
import { startUp } from './start-up.ts';
import { streams } from './streams.ts';
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
  streams,
  webhooks,
  startUp,
  processes,
  members,
  sizes,
  consoleReads,
];
