import { hash, randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import type { Merchant } from './environment.ts';

/** One measured stretch: requests answered as expected a second, and latencies in milliseconds. */
export interface Measurement {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly wrong: number;
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  request(): { readonly method: 'GET' | 'POST'; readonly path: string; readonly headers: Record<string, string>; readonly body?: string };
  isRight(status: number, body: string): boolean;
}

/** Closed loop: each connection sends its next request when the last one is answered. */
export async function measure({ url, connections, seconds, request, isRight }: Load): Promise<Measurement> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const latencies: number[] = [];
  let wrong = 0;
  const end = performance.now() + seconds * 1000;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const sent = performance.now();
        const { statusCode, body } = await pool.request(request());
        const text = await body.text();
        latencies.push(performance.now() - sent);
        if (!isRight(statusCode, text)) wrong += 1;
      }
    }),
  );
  const elapsed = (performance.now() - started) / 1000;
  await pool.close();
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { perSecond: (latencies.length - wrong) / elapsed, p50: at(0.5), p99: at(0.99), wrong };
}

let serial = 0;

/** A deposit that no other has been, signed as a merchant's backend would. */
export function depositRequest({ apiKey, signingSecret }: Merchant) {
  serial += 1;
  const fields: [string, string, string][] = [
    ['amount', `${1000 + (serial % 997)}.5`, `${1000 + (serial % 997)}.5`],
    ['callbackurl', 'https://merchant.example/webhooks/munshi', '"https://merchant.example/webhooks/munshi"'],
    ['currency', 'PKR', '"PKR"'],
    ['customerreference', `customer-${serial}`, `"customer-${serial}"`],
    ['merchantorderref', `${process.pid}-${serial}`, `"${process.pid}-${serial}"`],
    ['metadata', 'cart 7, two items', '"cart 7, two items"'],
    ['ordertype', 'Deposit', '"Deposit"'],
    ['successurl', 'https://merchant.example/thank-you', '"https://merchant.example/thank-you"'],
    ['wallettype', 'ProviderA', '"ProviderA"'],
  ];
  const signature = hash('md5', fields.map(([name, value]) => `${name}=${value}`).join('&') + signingSecret);
  const names: Record<string, string> = {
    callbackurl: 'callbackUrl',
    customerreference: 'customerReference',
    merchantorderref: 'merchantOrderRef',
    ordertype: 'orderType',
    successurl: 'successUrl',
    wallettype: 'walletType',
  };
  const body = `{${fields.map(([name, , json]) => `"${names[name] ?? name}":${json}`).join(',')},"signature":"${signature}"}`;
  return {
    method: 'POST' as const,
    path: '/api/merchant/orders',
    headers: { 'content-type': 'application/json', 'svc-api-key': apiKey, 'idempotency-key': randomUUID() },
    body,
  };
}
