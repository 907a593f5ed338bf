import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ORDER_TYPES, type OrderType, STATUS, STATUSES, type Status } from '@munshi/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../../apps/server/src/demo/demo.ts';
import { MUNSHI, runIn, startIn } from '../../support/first-start.ts';
import { TEST_MS } from '../../support/patience.ts';
import type { Spoken } from '../../support/spoken.ts';

/** What orders of a type can be in, but for what only orders of an older system have. */
const statusesOf = (orderType: OrderType): readonly Status[] =>
  STATUSES.filter((status) => {
    const { appliesTo } = STATUS[status];
    return !('legacy' in STATUS[status]) && (appliesTo === 'both' || appliesTo === orderType);
  });

let dataDir: string;
let server: Spoken;
let url: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'munshi past '));
  ({ server, url } = await startIn(dataDir));
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  await rm(dataDir, { recursive: true, force: true });
});

/** A process of low priority makes the fortnight: beside much other work it gets very little time. */
const MADE_MS = 3 * TEST_MS;

test('the demo gets a past: orders in every status but the legacy ones, on merchants and members of their own', {
  timeout: MADE_MS,
}, async () => {
  const [said] = await server.says(/The demo has (its|no) past.*/);
  expect(said).toContain('its past');
  const demo = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as Demo;
  const read = async <Data>(what: string): Promise<Data> => {
    const headers = { authorization: `Bearer ${demo.operatorToken}` };
    const response = await fetch(`${url}/api/operator/${what}`, { headers });
    return ((await response.json()) as { data: Data }).data;
  };
  for (const orderType of ORDER_TYPES) {
    for (const status of statusesOf(orderType)) {
      const orders: object[] = await read(`orders?orderType=${orderType}&status=${status}&limit=1`);
      expect(orders, `${orderType} ${status}`).toHaveLength(1);
    }
  }
  const [doubtful] = await read<{ orderId: string }[]>('queues/orders?queue=payoutsInDoubt');
  const { evidence } = await read<{ evidence: object[] }>(`orders/${doubtful?.orderId}`);
  expect(evidence).toMatchObject([{ kind: 'report', alsoFor: [] }]);
  const members: { memberId: string; online: boolean }[] = await read('members?limit=50');
  const named = new Set(demo.members.map(({ memberId }) => memberId));
  expect(members.length).toBeGreaterThan(named.size);
  expect(members.filter(({ memberId, online }) => online && !named.has(memberId))).toEqual([]);
  for (const memberId of named)
    for (const order of (await read(`orders?memberId=${memberId}&limit=200`)) as {
      merchantId: string;
    }[])
      expect(order.merchantId).toBe(demo.merchant.merchantId);
  const check = runIn(dataDir, MUNSHI, ['verify']);
  expect(await check.exited, check.said()).toBe(0);
});

test('the next start makes no other one', async () => {
  server.child.kill('SIGTERM');
  expect(await server.exited).toBe(0);
  ({ server, url } = await startIn(dataDir));
  expect(server.said()).not.toContain('The demo has');
});
