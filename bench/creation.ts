import path from 'node:path';
import { type Environment, type Merchant, type RunningServer, startServer } from './environment.ts';
import { depositRequest, type Load, type Measurement, measure } from './load.ts';

/** What is measured side by side: order creation by this service, by the ceiling and by the usual design. */
export const CONTENDERS = {
  munshi: undefined,
  'bare-fastify': path.join(import.meta.dirname, 'peers', 'bare-fastify.ts'),
  'transaction-per-request': path.join(import.meta.dirname, 'peers', 'transaction-per-request.ts'),
} as const;
export type Contender = keyof typeof CONTENDERS;

export interface Round extends Measurement {
  readonly contender: Contender;
  readonly round: number;
  /** CPU of the server process per answered request, in microseconds. */
  readonly cpuMicros: number | undefined;
}

interface CreationOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  progress(text: string): void;
}

/** Alternating rounds, each contender with a server of its own that only runs while it is measured. */
export async function measureCreation(environment: Environment, merchant: Merchant, options: CreationOptions): Promise<readonly Round[]> {
  const rounds: Round[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const contender of Object.keys(CONTENDERS) as Contender[]) {
      const server = await startServer(environment, CONTENDERS[contender]);
      const load: Load = {
        url: server.url,
        connections: options.connections,
        seconds: options.seconds,
        request: () => depositRequest(merchant),
        isRight: (status, body) => status === 200 && body.includes('"orderId"'),
      };
      await measure({ ...load, seconds: Math.min(2, options.seconds) }); // plans made, code warm
      const measurement = await withCpu(server, () => measure(load));
      await server.stop();
      rounds.push({ contender, round, ...measurement });
      options.progress(
        `round ${round}/${options.rounds} ${contender}: ${Math.round(measurement.perSecond)} a second, p99 ${measurement.p99.toFixed(1)} ms, ${measurement.wrong} wrong`,
      );
    }
  }
  return rounds;
}

async function withCpu(server: RunningServer, work: () => Promise<Measurement>): Promise<Measurement & { cpuMicros: number | undefined }> {
  const before = await server.cpuSeconds();
  const started = performance.now();
  const measurement = await work();
  const after = await server.cpuSeconds();
  const answered = (measurement.perSecond * (performance.now() - started)) / 1000;
  return { ...measurement, cpuMicros: before === undefined || after === undefined ? undefined : ((after - before) * 1e6) / answered };
}
