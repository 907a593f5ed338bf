import { hash } from 'node:crypto';
import Fastify from 'fastify';

/**
 * The ceiling: a Fastify server that parses the same body, hashes it and answers as much text, and
 * stores nothing. Its GET has the path, header and answer size of a status look-up.
 */
const app = Fastify();
const created = JSON.stringify({
  data: {
    orderId: '0198f0c4-5d5e-7000-8000-000000000000',
    orderReference: 'ORD-20260101000000-000000',
    status: 'Queued',
    stage: 'Assigned',
    merchantOrderRef: 'reference-1',
    paymentPageUrl: `http://127.0.0.1:3000/pay/0198f0c4-5d5e-7000-8000-000000000000?expires=1700000000&token=${'x'.repeat(43)}`,
    expiresAt: '2026-01-01T00:00:00.000Z',
  },
});
const stamp = '2026-01-01T00:00:00.000Z';
const status = JSON.stringify({
  orderReference: 'ORD-20260101000000-000000',
  status: 'Queued',
  amount: 1500.5,
  queuedAt: stamp,
  confirmedAt: null,
  cancelledAt: null,
  merchantOrderRef: 'reference-1',
  orderType: 'Deposit',
  currency: 'PKR',
  fee: 30.01,
  stage: 'Assigned',
  lifecycle: {
    stage: 'Assigned',
    createdAt: stamp,
    awaitingAt: null,
    assignedAt: stamp,
    sentAt: null,
    approvedAt: null,
    rejectedAt: null,
    completedAt: null,
    failedAt: null,
  },
});

app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.get('/readyz', async () => 'ok');
app.post('/api/merchant/orders', async (request, reply) => {
  const text = (request.body as Buffer).toString('utf8');
  const order = JSON.parse(text) as { signature: string };
  const digest = hash('md5', text);
  return reply.type('application/json').send(digest === order.signature ? '{}' : created);
});
app.get<{ Params: { id: string } }>('/api/merchant/orders/:id/status', async (request, reply) =>
  reply
    .type('application/json; charset=utf-8')
    .send(`{"data":{"orderId":"${request.params.id}",${status.slice(1)}}`),
);
await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
