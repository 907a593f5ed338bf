import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { createMerchant, type TestMerchant } from '../../support/fixtures.ts';
import { postOrder } from '../../support/merchant-client.ts';
import { type ServerProcess, startProcess } from '../../support/process.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest({ ROLES: 'http' });

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

let collector: Server;
let sent = '';
const spans: Span[] = [];
let http: ServerProcess;
let worker: ServerProcess;
let receiver: Receiver;
let merchant: TestMerchant;

/** A receiver of OTLP over HTTP, as JSON. */
beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    if (request.url === '/v1/traces') {
      sent += body;
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OPERATOR_TOKEN,
    ALLOW_PRIVATE_CALLBACKS: '1',
  };
  http = await startProcess(service, { ...env, ROLES: 'http' });
  worker = await startProcess(service, { ...env, ROLES: 'worker' });
  receiver = await startReceiver();
  merchant = await createMerchant(service, { defaultCallbackUrl: `${receiver.url}/hook` });
});
afterAll(async () => {
  await http.stop();
  await worker.stop();
  await receiver.close();
  collector.close();
});

test('a trace leads from the request through its command and batch to the webhook of another process', async () => {
  const { json } = await postOrder(
    { ...merchant, url: http.url },
    {
      orderType: 'Deposit',
      amount: 100,
      walletType: 'ProviderA',
      customerReference: 'nobody-should-see-this',
    },
  );
  const { orderId } = json.data;
  await fetch(`${http.url}/api/operator/orders/${orderId}/cancel`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ note: 'seen by nobody' }),
  });
  await receiver.arrived(1);
  const named = (name: string) => spans.find((span) => span.name === name);
  await expect.poll(() => named('webhook attempt')).toBeDefined();
  await expect.poll(() => named('POST /api/operator/orders/:orderId/cancel')).toBeDefined();
  const request = named('POST /api/operator/orders/:orderId/cancel') as Span;
  const trace = spans.filter(({ traceId }) => traceId === request.traceId);
  const command = trace.find(({ name }) => name === 'command operator-cancel');
  expect(command?.parentSpanId).toBe(request.spanId);
  expect(trace.find(({ name }) => name === 'batch')?.parentSpanId).toBe(command?.spanId);
  const attempt = trace.find(({ name }) => name === 'webhook attempt');
  expect(attempt?.parentSpanId).toBe(command?.spanId);
  expect(attempt?.attributes).toContainEqual({
    key: 'munshi.outcome',
    value: { stringValue: 'acknowledged' },
  });
});

test('no trace holds a key, a signature, a person or a link', async () => {
  await expect.poll(() => sent).toContain('command create-order');
  for (const secret of [merchant.apiKey, merchant.signingSecret, 'nobody', OPERATOR_TOKEN, '/pay/'])
    expect(sent).not.toContain(secret);
});
