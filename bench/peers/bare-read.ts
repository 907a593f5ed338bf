import Fastify from 'fastify';
import { readConfig } from '../../apps/server/src/platform/config.ts';
import { createBatchLoader } from '../../apps/server/src/platform/database/connection/batch-loader.ts';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { plainArray, runPipeline } from '../../apps/server/src/platform/database/pipeline.ts';

/**
 * The ceiling of anything that asks Postgres before it answers: the bare server reads the row by
 * its id, waiting requests together in one statement, and answers as much text. It has no API keys
 * or merchants and reads only the status.
 */
const database = openDatabase(readConfig(process.env).database as never, { poolSize: 1 });
const lane = await database.openLane('bare-read');
const READ = `select o.status from unnest($1::uuid[]) with ordinality as q (order_id, n)
  left join lateral (select status from orders where order_id = q.order_id limit 1) o on true order by q.n`;
const STATUS = { read: (row: { readonly status?: string }) => row.status as string };
const statusOf = createBatchLoader(
  async (orderIds: readonly string[]) => {
    const [statuses] = await runPipeline(lane, [
      { name: 'read', text: READ, columns: STATUS, values: [plainArray(orderIds)] },
    ]);
    return statuses;
  },
  { max: 500 },
);

const stamp = '2026-01-01T00:00:00.000Z';
const lifecycle = {
  stage: 'Assigned',
  createdAt: stamp,
  awaitingAt: null,
  assignedAt: stamp,
  sentAt: null,
  approvedAt: null,
  rejectedAt: null,
};
const terms = {
  merchantOrderRef: 'reference-1',
  orderType: 'Deposit',
  currency: 'PKR',
  fee: 30.01,
  stage: 'Assigned',
};
const rest = JSON.stringify({
  orderReference: 'ORD-20260101000000-000000',
  amount: 1500.5,
  queuedAt: stamp,
  confirmedAt: null,
  cancelledAt: null,
  ...terms,
  lifecycle: { ...lifecycle, completedAt: null, failedAt: null },
}).slice(1);

const app = Fastify();
app.get('/readyz', async () => 'ok');
app.get<{ Params: { id: string } }>('/api/merchant/orders/:id/status', async (request, reply) => {
  const status = await statusOf(request.params.id);
  return reply
    .type('application/json; charset=utf-8')
    .send(`{"data":{"orderId":"${request.params.id}","status":"${status}",${rest}}`);
});
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
