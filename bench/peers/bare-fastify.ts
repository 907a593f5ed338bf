import { hash } from 'node:crypto';
import Fastify from 'fastify';

/** The ceiling: a Fastify server that parses the same body, hashes it and answers as much text, and remembers nothing. */
const app = Fastify();
const answer = JSON.stringify({
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
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
app.get('/readyz', async () => 'ok');
app.post('/api/merchant/orders', async (request, reply) => {
  const text = (request.body as Buffer).toString('utf8');
  const order = JSON.parse(text) as { signature: string };
  const digest = hash('md5', text);
  return reply.type('application/json').send(digest === order.signature ? '{}' : answer);
});
await app.listen({ port: Number(process.env['PORT']) });
process.on('SIGTERM', () => process.exit(0));
