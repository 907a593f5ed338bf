import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, describe, expect, test as plain } from 'vitest';
import { chainAuditLog, checkAuditChain } from '../../apps/server/src/audit/chain.service.ts';
import { findBrokenLink, findUnlinkedEntry } from '../../apps/server/src/audit/checks.store.ts';
import { INVARIANTS, queryOf } from '../../apps/server/src/books/invariants.ts';
import { inTransaction } from '../../apps/server/src/platform/database/db.ts';
import { insertAudit } from '../../apps/server/src/writes/audit-log.store.ts';
import { operatorClient } from '../support/operator-client.ts';
import { pace } from '../support/pace.ts';
import { TEST_MS } from '../support/patience.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';
import { report, seeded, size } from './support/size.ts';

const WRITERS = 6;
const WRITES = size('AUDIT_WRITES', { short: 25, full: 400 });
const KILLS = size('AUDIT_KILLS', { short: 1, full: 40 });
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const { test, service } = await serviceTest({ ROLES: 'http' });
const { pool } = service.database;
const random = seeded();

/** When a write began and ended, on one counter: what ended before another began. */
interface Write {
  readonly auditId: string;
  readonly began: number;
  readonly ended: number;
}
let moment = 0;

/** Writes entries in transactions that stay open for a while; some of them end in nothing. */
async function write(count: number): Promise<readonly Write[]> {
  const written: Write[] = [];
  for (let at = 0; at < count; at += 1) {
    const auditId = randomUUID();
    const client = await pool.connect();
    moment += 1;
    const began = moment;
    try {
      await client.query('begin');
      // The number of the transaction, and the entry, may come long before the commit.
      if (random(2) === 0) await client.query('select pg_current_xact_id()');
      await pace(random(8));
      const target = `entry-${began}`;
      const actor = { kind: 'clock', id: null } as const;
      const detail = { note: '=a "b"\u2028', amount: 1.5, reason: null };
      await insertAudit(client, {
        auditId,
        actor,
        action: 'clock.advance',
        target,
        detail,
        at: Date.now(),
      });
      await pace(random(15));
      const kept = random(8) > 0;
      await client.query(kept ? 'commit' : 'rollback');
      moment += 1;
      if (kept) written.push({ auditId, began, ended: moment });
    } finally {
      client.release();
    }
  }
  return written;
}

const positions = async () => {
  const { rows } = await pool.query<{ audit_id: string; position: string }>(
    'select audit_id, position from audit_chain',
  );
  return new Map(rows.map((row) => [row.audit_id, Number(row.position)]));
};

const waiting = async () => {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::integer as count from audit_unchained',
  );
  return rows[0]?.count;
};

/** Every entry once, without holes, and none before one that had ended when it began. */
async function expectChained(written: readonly Write[]) {
  const chained = await positions();
  expect(new Set(chained.values())).toEqual(
    new Set(Array.from({ length: chained.size }, (_, at) => at + 1)),
  );
  const { rows } = await pool.query<{ audit_id: string }>('select audit_id from audit_log');
  expect(new Set(chained.keys())).toEqual(new Set(rows.map(({ audit_id: id }) => id)));
  const wrong = written.filter((late) =>
    written.some(
      (early) =>
        early.ended < late.began &&
        (chained.get(early.auditId) ?? 0) > (chained.get(late.auditId) ?? 0),
    ),
  );
  expect(wrong).toEqual([]);
  await expectSound(service);
}

describe('the chain of the audit log', () => {
  test('has every entry once and in order, however many write and link at once', async () => {
    let writing = true;
    const link = async () => {
      while (writing) {
        await chainAuditLog(service.app.deps);
        await pace(random(5));
      }
    };
    const linking = [link(), link(), link()];
    const written = (
      await Promise.all(Array.from({ length: WRITERS }, () => write(WRITES)))
    ).flat();
    writing = false;
    await Promise.all(linking);
    await expect
      .poll(async () => {
        await chainAuditLog(service.app.deps);
        return waiting();
      })
      .toBe(0);
    await expectChained(written);
    report('audit-chain', { entries: written.length });
  });

  let workers: ServerProcess[] = [];
  afterAll(async () => {
    for (const worker of workers) await worker.stop();
  });

  test(`is made on by another process when one is killed, ${KILLS} times`, {
    timeout: TEST_MS + KILLS * 20_000,
  }, async () => {
    const start = () => startProcess(service, { ROLES: 'worker' });
    workers = [await start(), await start()];
    const written: Write[] = [];
    for (let round = 0; round < KILLS; round += 1) {
      const writes = [write(WRITES / 5), write(WRITES / 5)];
      await pace(random(1_200));
      await workers.shift()?.stop('SIGKILL');
      workers.push(await start());
      written.push(...(await Promise.all(writes)).flat());
    }
    await expect.poll(waiting).toBe(0);
    await expectChained(written);
  });
});

describe('a change of the audit log is found and named', async () => {
  const entry = (position: number) =>
    `(select audit_id from audit_chain where position = ${position})`;
  const INSERTED = `insert into audit_log (audit_id, actor_kind, action, target, detail, at)
    values ('11111111-1111-7111-8111-111111111111', 'operator', 'made-up', 'x', '{}', now())`;

  test.each([
    [
      'a word of an entry',
      `update audit_log set action = 'x' where audit_id = ${entry(5)}`,
      5,
      'changed',
    ],
    [
      'a time',
      `update audit_log set at = at + interval '1 microsecond' where audit_id = ${entry(5)}`,
      5,
      'changed',
    ],
    ['a detail', `update audit_log set detail = '{}' where audit_id = ${entry(1)}`, 1, 'changed'],
    ['a hash', 'update audit_chain set hash = sha256(hash) where position = 7', 7, 'changed'],
    [
      'an entry that was removed',
      `delete from audit_log where audit_id = ${entry(6)}`,
      6,
      'removed',
    ],
    [
      'an entry that was removed with its link',
      `delete from audit_log where audit_id = ${entry(6)}; delete from audit_chain where position = 6`,
      7,
      'gap',
    ],
    [
      'a removed entry whose place was closed',
      `delete from audit_log where audit_id = ${entry(6)}; delete from audit_chain where position = 6;
       update audit_chain set position = position + 1000000 where position > 6;
       update audit_chain set position = position - 1000001 where position > 1000000`,
      6,
      'changed',
    ],
    [
      'two entries that were swapped',
      `create temporary table swapped on commit drop as select * from audit_chain where position in (4, 5);
       delete from audit_chain where position in (4, 5);
       insert into audit_chain select 9 - position, audit_id, hash from swapped`,
      4,
      'changed',
    ],
    ['an entry that came past the chain', INSERTED, null, 'unlinked'],
  ])('%s', async (_name, sql, position, problem) => {
    await tampered(sql, async (client) => {
      const link = await findBrokenLink(client, 1, 5_000);
      const { found } = await findUnlinkedEntry(client, FIRST_ID, 5_000);
      expect(link ?? found).toMatchObject({ position, problem });

      const id = position === null ? 'A2' : 'A1';
      const invariant = INVARIANTS.find((one) => one.id === id);
      if (invariant === undefined) throw new Error(`there is no invariant ${id}`);
      const { rows } = await client.query(queryOf(invariant), [new Date().toISOString()]);
      expect(rows[0]).toMatchObject({ problem });
      if (position !== null) expect(Number(rows[0].position)).toBe(position);
    });
  });

  test('also at the seam of two pieces', async () => {
    const sql = `update audit_log set action = 'x' where audit_id = ${entry(6)}`;
    await tampered(sql, async (client) => {
      expect(await findBrokenLink(client, 1, 5)).toBeNull();
      expect(await findBrokenLink(client, 6, 5)).toMatchObject({ position: 6 });
      expect(await findBrokenLink(client, 7, 5)).toBeNull();
    });
  });

  test('entries that nobody links are named after five minutes', async () => {
    const sql = `${INSERTED}; insert into audit_unchained values
      ('11111111-1111-7111-8111-111111111111', '3', clock_timestamp() - interval '301 seconds')`;
    await tampered(sql, async (client) => {
      const late = INVARIANTS.find(({ id }) => id === 'A3');
      const { rows } = await client.query(queryOf(late as (typeof INVARIANTS)[number]), [
        new Date().toISOString(),
      ]);
      expect(rows).toMatchObject([{ audit_id: '11111111-1111-7111-8111-111111111111' }]);
    });
  });
});

/** As somebody who may do everything on the database; nothing of it stays. */
async function tampered(sql: string, look: (client: pg.PoolClient) => Promise<void>) {
  const client = await pool.connect();
  try {
    await client.query("begin; set local session_replication_role = 'replica'");
    await client.query(sql);
    await look(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

plain('the service itself may not change the chain', async () => {
  const { app } = service;
  for (const sql of [
    'update audit_chain set position = position',
    'delete from audit_chain',
    'insert into audit_unchained values (gen_random_uuid(), pg_current_xact_id())',
    'update audit_log set target = target',
  ])
    await expect(app.deps.database.pool.query(sql)).rejects.toMatchObject({ code: '42501' });
});

plain('operators read whether it is sound, and until when it was', async () => {
  const { deps } = service.app;
  const chain = async () => (await operatorClient(service).get('/audit-log/chain')).data;
  const asAnybody = (sql: string) =>
    inTransaction(pool, async (client) => {
      await client.query("set local session_replication_role = 'replica'");
      await client.query(sql);
    });

  /** Every piece, from the first one on; answers what was not known before. */
  const checkAll = async () => {
    await pool.query('update audit_checks set next_position = 1, after_audit_id = default');
    const found: unknown[] = [];
    const { size: entries } = await positions();
    for (let from = 0; from <= entries; from += 5_000) found.push(await checkAuditChain(deps));
    return found.filter((one) => one !== undefined);
  };

  const { state, entries, head } = await chain();
  expect({ state, entries }).toEqual({ state: 'sound', entries: (await positions()).size });
  expect(head).toMatch(/^[0-9a-f]{64}$/);

  const third = '(select audit_id from audit_chain where position = 3)';
  await asAnybody(`update audit_log set target = 'x' || target where audit_id = ${third}`);
  expect(await checkAll()).toMatchObject([{ position: 3, problem: 'changed' }]);
  const { rows } = await pool.query<{ at: number }>(
    'select at from audit_log join audit_chain using (audit_id) where position = 2',
  );
  expect(await chain()).toMatchObject({
    state: 'broken',
    broken: {
      position: 3,
      problem: 'changed',
      soundUntil: new Date(rows[0]?.at ?? 0).toISOString(),
    },
  });
  expect(await checkAll()).toEqual([]); // it is known

  await asAnybody(`update audit_log set target = substr(target, 2) where audit_id = ${third}`);
  await checkAll();
  expect(await chain()).toMatchObject({ state: 'sound', broken: null });
});
