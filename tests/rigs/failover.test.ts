import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../apps/server/src/books/invariants.ts';
import { waitForDatabase } from '../../apps/server/src/platform/database/connection/wait-for-database.ts';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { saveClockOffset } from '../../apps/server/src/settings/clock-offset.store.ts';
import { expectKept } from '../faults/support/kept.ts';
import { type MemberStream, openMemberStream } from '../faults/support/member-stream.ts';
import { report, SEED, seeded, size } from '../faults/support/size.ts';
import { startTraffic, type Traffic } from '../faults/support/traffic.ts';
import {
  createMember,
  createMerchant,
  signInMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { postOrder } from '../support/merchant-client.ts';
import { type Service, startService } from '../support/service.ts';
import { SIZE } from '../support/size.ts';
import { FAULTS, type FaultName } from './ha/faults.ts';
import { type Patience, type Patroni, startPatroni } from './ha/patroni.ts';
import { type SupervisedFleet, startSupervisedFleet } from './ha/supervised-fleet.ts';
import { type Seen, type Watch, watchFleet } from './ha/watch.ts';

/** `FAULT_PATRONI=freeze,cut` names some; at full size all of them. */
const NAMED =
  process.env['FAULT_PATRONI'] ??
  (SIZE === 'full' ? Object.keys(FAULTS).join() : 'pgkill,switchover,munshikill');
const ROUNDS = size('PATRONI_ROUNDS', { short: 1, full: 3 });
/**
 * Each process is back within this of a new primary; in the short form other work goes on beside.
 */
const BACK_MS = size('BACK_MS', { short: 10_000, full: 5_000 });
/** Others than `deploy/ha/patroni.yml` has, to compare them: `FAULT_PATRONI_TTL=12`. */
const PATIENCE = Object.fromEntries(
  (['ttl', 'retry_timeout'] as const).flatMap((name) => {
    const own = process.env[`FAULT_PATRONI_${name.toUpperCase()}`];
    return own === undefined ? [] : [[name, Number(own)]];
  }),
) satisfies Patience;
const PASSWORD = 'a long enough password';

let patroni: Patroni;
let service: Service;
let fleet: SupervisedFleet;
let traffic: Traffic;
let watch: Watch;
let merchant: TestMerchant;
let streams: readonly MemberStream[];
const random = seeded();
const rows: Row[] = [];

beforeAll(async () => {
  patroni = await startPatroni({ patience: PATIENCE });
  const owner = openDatabase(patroni.owner, { poolSize: 1 });
  await waitForDatabase(owner, 30_000);
  await migrate(owner.pool, { runtimeRole: patroni.runtime.user }).finally(owner.close);
  service = await startService({ ROLES: 'http' }, { target: patroni.superuser });
  fleet = await startSupervisedFleet(patroni, service.url, 2);
  traffic = await startTraffic(service, fleet, { shoppers: 4, members: 3 });
  merchant = await createMerchant(service, { balance: '100000000' });
  const member = await createMember(service, {
    methods: ['BankAccount'],
    password: PASSWORD,
    maxOpenOrders: 100_000,
    float: '100000000',
  });
  const token = await signInMember(service, member, PASSWORD);
  streams = [0, 1].map((number) => openMemberStream(() => fleet.at(number).url, token));
  watch = watchFleet(patroni, fleet, merchant);
}, 300_000);
afterAll(async () => {
  await watch?.stop();
  await Promise.all((streams ?? []).map((stream) => stream.close()));
  await traffic?.close();
  await fleet?.close();
  await service?.close();
  await patroni?.close();
  console.info(table(rows));
}, 300_000);

interface Row extends Seen {
  readonly fault: FaultName;
  readonly unavailable: number;
  readonly cut: number;
  /** Whether another node leads than before. */
  readonly moved: number;
}

/** What one process commits is received by the member who is connected to the other. */
async function expectReceived(): Promise<void> {
  for (const [number, { received }] of streams.entries()) {
    received.text = '';
    const change = async () => {
      const order = { orderType: 'Withdrawal', walletType: 'BankAccount', amount: 1 };
      const at = { ...merchant, url: fleet.at(1 - number).url };
      const given = { customerAccountNumber: '0300', merchantOrderRef: randomUUID() };
      await postOrder(at, { ...order, ...given });
      return received.text;
    };
    await expect.poll(change, { timeout: 20_000, interval: 300 }).toContain('event: assigned');
  }
}

/** Every order that was acknowledged is there, and no request made two. */
async function expectNothingLost(): Promise<void> {
  const answered = traffic.answered.wishes.flatMap(({ orderId, idempotencyKey }) =>
    orderId === undefined ? [] : [`${idempotencyKey} ${orderId}`],
  );
  const own = [...watch.acknowledged];
  const { rows: found } = await service.database.pool.query<{ key: string; order_id: string }>(
    'select idempotency_key as key, order_id from orders',
  );
  const there = new Set(found.map(({ key, order_id }) => `${key} ${order_id}`));
  const ids = new Set(found.map(({ order_id }) => order_id));
  expect(answered.filter((one) => !there.has(one))).toEqual([]);
  expect(own.filter((orderId) => !ids.has(orderId))).toEqual([]);
  expect(new Set(found.map(({ key }) => key)).size).toBe(found.length);
}

describe.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))('round %i', () => {
  test.each(NAMED.split(',') as readonly FaultName[])(
    '%s: nothing that was acknowledged is lost or doubled, and every process goes on',
    async (fault) => {
      await patroni.healthy();
      await traffic.progress(50);
      const { seen } = traffic.client;
      const before = { ...seen };
      seen.slowestMs = 0;
      watch.look();
      const [leader = 0, synchronous = 0] = [await patroni.leader(), await patroni.synchronous()];
      await FAULTS[fault].act({ patroni, fleet, leader, synchronous, random });
      patroni.start();
      await patroni.healthy();
      await traffic.progress(50);
      await expectReceived();
      const looked = watch.look();
      const row: Row = {
        fault,
        ...looked,
        slowestMs: Math.max(looked.slowestMs, seen.slowestMs),
        late: looked.late + seen.late - before.late,
        unavailable: seen.unavailable - before.unavailable,
        cut: seen.cut - before.cut,
        moved: Number((await patroni.leader()) !== leader),
      };
      rows.push(row);
      report('patroni', { seed: SEED, ...row, backMs: row.backMs ?? '' });
      expect(row.late).toBe(0);
      expect(row.backMs ?? 0).toBeLessThanOrEqual(BACK_MS);
      await expectNothingLost();
      expect(await findViolations(service.database.pool, service.app.deps.clock.now())).toEqual([]);
    },
    400_000,
  );
});

const DAY_MS = 86_400_000;

/** A whole campaign lasts longer than an order waits: what would end while it is looked at has. */
async function endWhatWaits(): Promise<void> {
  const { clock } = service.app.deps;
  const { pool } = service.database;
  const offset = clock.now() - Date.now() + DAY_MS;
  clock.setOffset(offset);
  await saveClockOffset(pool, offset);
  const due = async () =>
    (
      await pool.query('select from orders where due_at <= $1', [
        new Date(clock.now()).toISOString(),
      ])
    ).rowCount;
  await expect.poll(due, { timeout: 60_000 }).toBe(0);
}

test('at the end everybody finds what they were answered, and every outcome was sent', async () => {
  await watch.stop();
  await traffic.stop();
  await endWhatWaits();
  await expectKept(service, traffic);
  await expectNothingLost();
  const { answered, unavailable, broken, slowestMs } = traffic.client.seen;
  expect(broken).toEqual([]);
  report('patroni, in all', {
    orders: traffic.answered.wishes.length + watch.acknowledged.length,
    answered,
    unavailable,
    slowestMs,
  });
}, 400_000);

/** The table of docs/reliability.md. */
function table(all: readonly Row[]): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const lines = [...Map.groupBy(all, ({ fault }) => fault)].map(([fault, runs]) => {
    const most = (of: (row: Row) => number) => Math.max(...runs.map(of));
    const sum = (of: (row: Row) => number) => runs.reduce((all, row) => all + of(row), 0);
    const backs = runs.flatMap(({ backMs }) => backMs ?? []);
    return [
      FAULTS[fault].what,
      runs.length,
      sum((row) => row.moved),
      seconds(most((row) => row.noWritesMs)),
      seconds(most((row) => row.noReadsMs)),
      backs.length === 0 ? '–' : seconds(Math.max(...backs)),
      seconds(most((row) => row.slowestMs)),
      sum((row) => row.unavailable),
      sum((row) => row.late),
    ].join(' | ');
  });
  return [
    '| Fault | Runs | Lead moved | No writes, s | No reads, s | Back after the new primary, s | Slowest answer, s | 503 | Late |',
    '|---|---|---|---|---|---|---|---|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}
