import type { Options } from './bench.ts';

/** The ordinary run: some half an hour. */
export const DEFAULT: Options = {
  rounds: 3,
  seconds: 4,
  warmUpSeconds: 5,
  connections: 64,
  members: 1_000,
  merchants: 1_000,
  connectionCounts: [1, 8, 64, 256],
  sizes: [100_000, 1_000_000],
  memberCounts: [10, 1_000, 50_000],
  processCounts: [1, 2, 3],
  rates: [500, 1_000, 2_000, 3_000],
  settled: 4_000,
  read: 10_000,
  deliveries: 120_000,
  hangingDeliveries: 20_000,
  streams: 10_000,
  peers: true,
};

/** With five million orders stored as well. */
export const FULL: Partial<Options> = { sizes: [100_000, 1_000_000, 5_000_000] };

/** Everything once and tiny, to check that it runs and answers right. */
export const SHORT: Options = {
  rounds: 1,
  seconds: 0.3,
  warmUpSeconds: 0.1,
  connections: 8,
  members: 20,
  merchants: 5,
  connectionCounts: [2],
  sizes: [500],
  memberCounts: [3],
  processCounts: [2],
  rates: [50],
  settled: 40,
  read: 50,
  deliveries: 100,
  hangingDeliveries: 100,
  streams: 40,
  peers: false,
};
