import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { seedMerchants } from '../../../bench/seed.ts';
import { cloneDatabase } from '../../support/database.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  signInMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { type MemberClient, memberClient } from '../../support/member-client.ts';
import { get } from '../../support/merchant-client.ts';
import { openPage } from '../../support/page-client.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startService } from '../../support/service.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * The plans of prepared statements are made while the tables are empty, as after every first start,
 * and kept. Each must go on reading what it needs and nothing else when the tables are full. All
 * orders here are of one merchant, one member and one receiver, so that whatever finds an order by
 * these alone reads very many.
 */
const WAVES = 12;
const WAVE = 25;
/**
 * What one scan of an index or a table reads in the mean, at most: the accounts of a member, what
 * is due, the versions of a row that changes.
 */
const READ_MAX = 40;
/**
 * Before 17 Postgres takes one list of values to an index, not two: all that an account has in hand
 * is read, and what it had until that is vacuumed.
 */
const IN_HAND_MAX = { before17: 150, since17: READ_MAX };

const WITHDRAWAL = {
  orderType: 'Withdrawal',
  customerAccountNumber: '03001234567',
  customerAccountName: 'Ayesha Khan',
};

async function look(
  merchant: TestMerchant,
  { orderId, orderReference, merchantOrderRef }: CreatedOrder,
): Promise<void> {
  const paths = [
    `/${orderId}/status`,
    `/status?orderReference=${orderReference}`,
    `/status?merchantOrderRef=${merchantOrderRef}`,
    '/balance',
  ];
  const replies = await Promise.all(paths.map((path) => get(merchant, `/orders${path}`)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
}

/** A deposit, or a withdrawal, from its creation to its webhook. */
async function live(
  merchant: TestMerchant,
  member: MemberClient,
  body: { readonly orderType?: string; readonly amount: number },
): Promise<void> {
  const order = await createOrder(merchant, body);
  await look(merchant, order);
  if (body.orderType === undefined) {
    await openPage(order).data('open');
    await openPage(order).data('confirm', { transactionDigits: '1234' });
  }
  expect(await member.data('POST', `/orders/${order.orderId}/confirm`, {})).toMatchObject({
    status: 'Completed',
  });
  await look(merchant, order);
}

async function giveUp(merchant: TestMerchant, amount: number): Promise<void> {
  const order = await createOrder(merchant, { amount });
  await openPage(order).data('open');
  expect(await openPage(order).data('cancel')).toMatchObject({ status: 'CancelledAuto' });
}

test.each([
  ['as the migrations leave them', undefined, undefined],
  ['known to be empty', 'analyze', undefined],
  // As Postgres does by itself: what has been vacuumed is planned anew, by the size of the tables
  // alone until they have been analysed.
  ['vacuumed when they are half full', undefined, 'vacuum'],
  ['analysed when they are half full', undefined, 'vacuum analyze'],
])(
  'a service that began with empty tables, %s, reads no more for an order when they are full',
  { timeout: 120_000 },
  async (_how, atFirst, halfway) => {
    const clone = await cloneDatabase();
    const { pool } = clone.database;
    await seedMerchants(clone.database, 2_000); // whose wallets no batch here needs
    if (atFirst !== undefined) await pool.query(atFirst);
    const service = await startService({}, clone);
    const receiver = await startReceiver();
    const merchant = await createMerchant(service, {
      balance: '100000000',
      defaultCallbackUrl: `${receiver.url}/hook`,
    });
    const password = randomUUID();
    const holder = await createMember(service, {
      methods: ['ProviderA', 'ProviderB'],
      maxOpenOrders: 1_000,
      float: '10000000',
      password,
    });
    const member = memberClient(service.url, await signInMember(service, holder, password));
    // Webhooks have been looked for, and there were none.
    const claiming = `select from pg_stat_activity where datname = current_database() and application_name = 'munshi-webhooks' and state = 'idle' and query ~ 'terms_version'`;
    await expect.poll(async () => (await pool.query(claiming)).rows.length).toBeGreaterThan(0);

    for (let wave = 0; wave < WAVES; wave += 1) {
      if (halfway !== undefined && wave === WAVES / 2) await pool.query(halfway);
      await Promise.all(
        Array.from({ length: WAVE }, (_, n) =>
          live(merchant, member, { amount: 500 + wave * WAVE + n, ...(n % 3 === 0 && WITHDRAWAL) }),
        ),
      );
      // Some end without money: their references are theirs no longer.
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => giveUp(merchant, 3_000 + wave * 10 + n)),
      );
      // Some that nobody takes: they wait, and are assigned when somebody comes.
      await setPresence(service, holder.memberId, false);
      await Promise.all(
        Array.from({ length: 5 }, (_, n) =>
          createOrder(merchant, { ...WITHDRAWAL, amount: 900 + n }),
        ),
      );
      await setPresence(service, holder.memberId, true);
    }
    await receiver.arrived(WAVES * WAVE);
    await service.close(); // sessions tell what they have read when they end

    const { rows } = await pool.query<{ name: string; scans: number; each: number }>(
      `select name, scans::integer, round(read / scans, 1)::float8 as each from (
       select indexrelname as name, idx_scan as scans, idx_tup_read as read from pg_stat_user_indexes
       union all select relname, seq_scan, seq_tup_read from pg_stat_user_tables) s
     where scans > 0 order by each desc`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['orders_pkey', 'delivery_queue_ready']),
    );
    const version = await pool.query('show server_version_num');
    const inHand =
      IN_HAND_MAX[version.rows[0].server_version_num < 170_000 ? 'before17' : 'since17'];
    const most = (name: string) => (name === 'orders_in_hand' ? inHand : READ_MAX);
    expect(rows.filter(({ name, each }) => each > most(name))).toEqual([]);

    const checked = await startService({}, clone);
    await expectSound(checked);
    await checked.close();
    await receiver.close();
    await clone.drop();
  },
);
