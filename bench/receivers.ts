import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PEERS } from './processes.ts';

/** What arrived at the healthy receivers, from the first to the last; delays in milliseconds after the first. */
export interface Arrivals {
  readonly ms: number;
  readonly delays: readonly number[];
  /** Requests that hanging receivers have taken. */
  readonly hung: number;
}

/** Receivers of webhooks in a process of their own: some answer 200, some never. */
export async function startReceivers(healthy: number, hanging: number) {
  const child = fork(path.join(PEERS, 'receiver.ts'), [String(healthy), String(hanging)]);
  const [{ ports }] = (await once(child, 'message')) as [{ ports: { healthy: number[]; hanging: number[] } }];
  return {
    ports,
    /** Resolves when that many have arrived at the healthy ones, counted from now on. */
    async expecting(count: number, begin: () => Promise<void> | void): Promise<Arrivals> {
      child.send({ expect: count });
      const done = once(child, 'message') as Promise<[Arrivals]>;
      await begin();
      return (await done)[0];
    },
    stop: () => child.kill(),
  };
}
