import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';

/** Sends the service's time with every answer: browsers count deadlines down by it. */
export function showServerTime(app: FastifyInstance, { clock }: { readonly clock: Clock }): void {
  app.addHook('onSend', async (_request, reply) => {
    // Browsers keep what never changes: it would give them an old time.
    if (String(reply.getHeader('cache-control')).includes('immutable')) return;
    reply.header('x-server-time', new Date(clock.now()).toISOString());
  });
}
