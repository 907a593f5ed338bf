import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PEERS } from './processes.ts';

/** What arrived at the healthy receivers; delays in milliseconds after the first. */
export interface Arrivals {
  /** From the end of the warm-up, or the first request, to the last. */
  readonly ms: number;
  readonly delays: readonly number[];
  /** Requests that hanging receivers have taken. */
  readonly hung: number;
}

interface Expected {
  readonly count: number;
  readonly warmUp: number;
  begin(): Promise<void>;
  onWarm(): void;
}

/** Receivers of webhooks in a process of their own: some answer 200, some never. */
export async function startReceivers(healthy: number, hanging: number) {
  const child = fork(path.join(PEERS, 'receiver.ts'), [String(healthy), String(hanging)]);
  const [{ ports }] = (await once(child, 'message')) as [
    { ports: { healthy: number[]; hanging: number[] } },
  ];
  return {
    ports,
    /**
     * Resolves when `count` have arrived at the healthy ones, counted from now on. `onWarm` is
     * called when the first `warmUp` of them have.
     */
    async expecting({ count, warmUp, begin, onWarm }: Expected): Promise<Arrivals> {
      child.send({ expect: count, warmUp });
      if (warmUp > 0) child.once('message', onWarm);
      const done = new Promise<Arrivals>((resolve) => {
        child.on(
          'message',
          (message: Arrivals & { readonly done?: true }) => message.done && resolve(message),
        );
      });
      await begin();
      return done;
    },
    stop: () => child.kill(),
  };
}
