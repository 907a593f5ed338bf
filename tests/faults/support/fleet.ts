import { expect } from 'vitest';
import { type ServerProcess, startProcess } from '../../support/process.ts';
import type { Service } from '../../support/service.ts';

/**
 * Server processes on one database, behind what a load balancer does: each request, and each next
 * try of one, goes to the next.
 */
export interface Fleet {
  /** Where the next request goes. Those that are down get their turn too. */
  next(): string;
  readonly size: number;
  at(number: number): ServerProcess;
  /** Ends a process by this signal and answers its exit code; null when the signal ended it. */
  end(number: number, signal: NodeJS.Signals): Promise<number | null>;
  /** Starts a process in the place of one that has ended; of another version in `checkout`. */
  restart(number: number, checkout?: string): Promise<void>;
  /** Ends all of them as an operator would, which each does with 0. */
  close(): Promise<void>;
}

export async function startFleet(
  service: Pick<Service, 'target' | 'url'>,
  size: number,
  env: Record<string, string> = {},
  checkout?: string,
): Promise<Fleet> {
  const start = (from = checkout) =>
    startProcess(service, { ALLOW_PRIVATE_CALLBACKS: '1', ...env }, undefined, from);
  const processes = await Promise.all(Array.from({ length: size }, () => start()));
  const at = (number: number) => processes[number] as ServerProcess;
  let turn = 0;
  return {
    next() {
      turn = (turn + 1) % size;
      return at(turn).url;
    },
    size,
    at,
    end: (number, signal) => at(number).stop(signal),
    async restart(number, from) {
      processes[number] = await start(from);
    },
    async close() {
      expect(await Promise.all(processes.map((one) => one.stop()))).toEqual(processes.map(() => 0));
    },
  };
}
