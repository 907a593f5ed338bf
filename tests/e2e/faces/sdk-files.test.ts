import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect } from 'vitest';
import { createMember, createMerchant, orderStatus } from '../../support/fixtures.ts';
import {
  flowOf,
  presentLanguages,
  quickStartOf,
  SIGNATURE_VECTORS,
  signaturesBy,
} from '../../support/sdk-files.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
await createMember(service);

/** In front of the service: a sandbox's calls as the contract has them, the rest passed on. */
const moved: { id: string; to: string; reason: string }[] = [];
const sandbox = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request;
  const answer = (body: unknown) => response.end(JSON.stringify(body));
  const [, move] = /^\/api\/merchant\/sandbox\/orders\/([^/]+)$/.exec(url) ?? [];
  if (move !== undefined) {
    const asked = (await json(request)) as { to: string; reason: string };
    moved.push({ id: move, ...asked });
    answer({ data: { ...(await orderStatus(merchant, move)), status: asked.to } });
  } else if (url.startsWith('/api/merchant/events?')) {
    answer(pageAfter(new URL(url, 'http://x').searchParams.get('after')));
  } else if (url === '/api/merchant/events/resend') {
    answer({ data: { orders: 3 } });
  } else {
    const body = method === 'POST' ? await new Response(request as never).text() : undefined;
    const passed = await fetch(service.url + url, {
      method,
      headers: Object.fromEntries(
        ['svc-api-key', 'idempotency-key', 'content-type'].flatMap((name) =>
          headers[name] === undefined ? [] : [[name, headers[name] as string]],
        ),
      ),
      ...(body !== undefined && { body }),
    });
    response.writeHead(passed.status).end(await passed.text());
  }
});
await new Promise<void>((resolve) => sandbox.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(sandbox.address() as AddressInfo).port}`;
afterAll(() => {
  sandbox.close();
  sandbox.closeAllConnections();
});

/** A page without news first, then another order's event with that of the order just moved. */
function pageAfter(after: string | null) {
  if (after === null) return { data: [], next: 'first page' };
  if (after !== 'first page') return { data: [], next: after };
  const deliveries = ['another', moved.at(-1)?.id as string].map((orderId) => {
    const body = `{"eventType":"order.completed","orderId":"${orderId}","amount":99999999999999.9999,"status":"Completed"}`;
    const signature = createHmac('sha256', merchant.signingSecret).update(body).digest('hex');
    return {
      deliveryId: randomUUID(),
      headers: { 'X-SVC-Event': 'order.completed', 'X-SVC-Signature': `sha256=${signature}` },
      body,
    };
  });
  return { data: deliveries, next: `after ${after}` };
}

describe('the clients of one file', () => {
  const present = presentLanguages();

  test('agree with every golden vector', async () => {
    for (const language of present)
      expect(await signaturesBy(language), language.name).toEqual(
        SIGNATURE_VECTORS.vectors.map(({ signature }) => signature),
      );
  });

  test('create, move, follow and verify an order with exact amounts, and name what is refused', async () => {
    for (const language of present) {
      const { apiKey, signingSecret } = merchant;
      const reference = `a reference & ${language.name}`;
      expect(await flowOf(language, url, apiKey, signingSecret, reference), language.name).toEqual([
        { created: 'Queued', same: true },
        { amount: '1500.5' },
        { moved: 'Completed' },
        { event: 'order.completed', amount: '99999999999999.9999', next: 'after first page' },
        { verified: 'Completed' },
        { other: 'refused' },
        { status: 'Queued', currency: 'PKR' },
        { resent: 3 },
        { rest: [] },
        { status: 400, message: "'Amount' must be greater than '0'.", fields: [] },
        {
          status: 400,
          message: expect.stringContaining('walletType is unknown'),
          fields: ['$.walletType'],
        },
        { float: 'refused' },
      ]);
      expect(moved.at(-1)).toMatchObject({ to: 'Completed', reason: 'it came' });
    }
  });

  test('are all that the quick start needs', async () => {
    for (const language of present) {
      const { apiKey, signingSecret } = merchant;
      const printed = await quickStartOf(language, {
        MUNSHI_URL: url,
        MUNSHI_API_KEY: apiKey,
        MUNSHI_SIGNING_SECRET: signingSecret,
      });
      expect(printed, language.name).toMatch(/^http\S+\/pay\/\S+\nCompleted\n/);
      expect(printed, language.name).toContain(moved.at(-1)?.id);
    }
  });

  test.each(['munshi.py', 'munshi.php'])('%s is served as text', async (file) => {
    const answer = await fetch(`${service.url}/sdk/${file}`);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toContain('no dependencies');
  });
});
