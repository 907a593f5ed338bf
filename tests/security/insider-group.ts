import { describe, expect } from 'vitest';
import { ENDPOINTS } from '../support/contract.ts';
import { send, type TestOperator } from '../support/operator-client.ts';
import { serviceTest } from '../support/service-test.ts';
import { SEED, size } from '../support/size.ts';
import { MEMBER_ATTEMPTS } from './insider-member-writes.ts';
import { OPERATOR_ATTEMPTS } from './insider-operator-writes.ts';
import { PORTAL_ATTEMPTS } from './insider-portal-writes.ts';
import { SCHEMES, type Scheme } from './insider-schemes.ts';
import { powerOf, takenBy } from './insider-tables.ts';
import { type Attempts, beginTry, clientOf, LIMIT, makeWorld } from './insider-world.ts';

/**
 * One operator, with everybody whom they have made and a merchant that works with them, tries every
 * write of every face while a second operator is required. What they have afterwards is read from
 * the tables, not from what the service says: no power more than before, and no more money taken in
 * a day than the limit, of each sum of theirs.
 */
export async function tryAsInsider(role: 'admin' | 'approver'): Promise<void> {
  // Nobody sends: deliveries stay as they are written.
  const { test, service } = await serviceTest({ ROLES: 'http' });
  const { pool } = service.database;

  const require = (on: boolean) =>
    pool.query(
      'update settings set require_second_operator = $1, adjustment_approval_limit = $2, payout_window_seconds = 3600, sending_grace_seconds = 600, stop_withdrawals_on_breach = true, require_one_time_code = false',
      [on, LIMIT],
    );
  async function freely<T>(work: () => Promise<T>): Promise<T> {
    await require(false);
    try {
      return await work();
    } finally {
      await require(true);
    }
  }

  const world = await makeWorld(service, role, freely);
  const { owner, honest, merchant, issuer, operators, thief, own } = world;
  for (const { merchantId } of [merchant, issuer])
    await owner.patch(`/merchants/${merchantId}/alert-settings`, {
      failingWebhooks: true,
      alertEmails: ['ops@shop.example'],
    });
  await require(true);
  const began = new Date(service.app.deps.clock.now());

  /** Without accounts or float: others give these. */
  const MEMBER_ALONE = /^member /;
  /** What one may have more of alone, and why that is no power. */
  const ALLOWED: Readonly<Record<string, RegExp>> = {
    'operator POST /members': MEMBER_ALONE,
    ...(role === 'approver' && KEYS_OF_OTHERS),
  };

  /** What there is more of after the work; nobody takes more than the limit by it. */
  async function gainBy(work: () => Promise<unknown>): Promise<readonly string[]> {
    const before = await powerOf(world);
    await work();
    const { moved, gained } = await takenBy(world, began);
    const most = LIMIT * world.sums.length;
    const taken = [
      moved.some((sum) => sum > LIMIT) && `moved ${moved}`,
      gained > most && `gained ${gained}`,
    ];
    const power = [...(await powerOf(world))].filter((one) => !before.has(one));
    return [...power, ...taken.filter((one) => one !== false)];
  }

  type Send = (
    method: string,
    attempt: Awaited<ReturnType<Attempts>>,
  ) => Promise<{ status: number; text: string }>;

  const asOperator =
    (who: TestOperator): Send =>
    (method, { path, body }) => {
      const headers = {
        Authorization: `Bearer ${who.token}`,
        'Idempotency-Key': crypto.randomUUID(),
      };
      return send(service, method, path, headers, body);
    };
  const asPerson: Send = (method, { path, body, as = own.client }) =>
    as.call(method, path, body, crypto.randomUUID());

  interface Face {
    readonly name: string;
    readonly attempts: Readonly<Record<string, Attempts>>;
    readonly sends: Send;
  }
  /** Writes that are about oneself alone: sign-ins, a password, codes. */
  const OWN = /^\w+ \/(session|sessions|password|recovery|one-time-code)\b/;
  const FACES: readonly Face[] = [
    { name: 'operator', attempts: OPERATOR_ATTEMPTS, sends: asOperator(thief) },
    { name: 'member', attempts: MEMBER_ATTEMPTS, sends: asPerson },
    { name: 'portal', attempts: PORTAL_ATTEMPTS, sends: asPerson },
  ];

  /** At most twenty requests of one asker wait: older ones fall, so that an attempt is not one more. */
  const makeRoom = () =>
    pool.query(
      `update approvals set status = 'fallen'
       where approval_id in (
         select approval_id
         from (
           select approval_id, row_number() over (
             partition by requested_by order by requested_at desc, approval_id desc
           ) as place
           from approvals
           where status in ('pending', 'waiting')
         ) as waiting
         where place > 10
       )`,
    );

  /** Sends one attempt, and answers what there is more of. `number` says which of its choices. */
  async function tryIt(face: Face, call: string, number: number, sends = face.sends) {
    beginTry(number);
    await makeRoom();
    const attempt = await (face.attempts[call] as Attempts)(world);
    const gain = await gainBy(async () => {
      const answer = await sends(call.split(' ')[0] as string, attempt);
      expect(answer.status, `${call}: ${answer.text}`).toBeLessThan(500);
    });
    const allowed = ALLOWED[`${face.name} ${call}`];
    return gain.filter((one) => !allowed?.test(one));
  }

  /** The same of what goes over several faces. */
  async function tryScheme(name: string, number: number): Promise<readonly string[]> {
    beginTry(number);
    await makeRoom();
    const acts = await (SCHEMES[name] as Scheme)(world);
    const gain = await gainBy(acts);
    return gain.filter((one) => !MEMBER_ALONE.test(one) && !ALLOWED[name]?.test(one));
  }

  describe.for(FACES)('the $name face', (face) => {
    test('has every write tried', () => {
      const writes = ENDPOINTS.filter((one) => one.face === face.name && one.decides !== undefined)
        .map(({ method, path }) => `${method} ${path}`)
        .filter((call) => !OWN.test(call) && !/\/(sandbox|clock)\//.test(call));
      expect(Object.keys(face.attempts).toSorted()).toEqual(writes.toSorted());
    });

    test.for(Object.keys(face.attempts))('gives no power by %s', async (call) => {
      for (let number = 0; number < 5; number += 1)
        expect([number, await tryIt(face, call, number)]).toEqual([number, []]);
    });
  });

  test.for(Object.keys(SCHEMES))('nothing is gained by %s', async (name) => {
    expect(await tryScheme(name, 0)).toEqual([]);
  });

  test(`the group together gains no power and takes no more than the limit (seed ${SEED})`, async () => {
    const random = randomOf(SEED);
    const one = <T>(choices: readonly T[]): T =>
      choices[Math.floor(random() * choices.length)] as T;
    const steps = size('INSIDER_STEPS', { short: 25, deep: 400, full: 5_000 });
    for (let step = 0; step < steps; step += 1) {
      await actHonestly(one, random());
      const face = one([...FACES, undefined]);
      const what = one(Object.keys(face?.attempts ?? SCHEMES));
      const number = Math.floor(random() * 1_000);
      const sends = face?.name === 'operator' ? asOperator(one(operators)) : face?.sends;
      const gain = face ? await tryIt(face, what, number, sends) : await tryScheme(what, number);
      expect([step, face?.name, what, gain]).toEqual([step, face?.name, what, []]);
      expect([step, what, await approveAmongThem(one)]).toEqual([step, what, []]);
    }
  });

  type One = <T>(choices: readonly T[]) => T;
  const WAITING = `
  select approval_id from approvals
  where status in ('pending', 'waiting') and (requested_by = any($1)) = $2
  order by requested_at, approval_id`;
  async function waiting(ofGroup: boolean): Promise<readonly string[]> {
    const group = operators.map(({ operatorId }) => operatorId);
    return (await pool.query(WAITING, [group, ofGroup])).rows.map((row) => row.approval_id);
  }

  /** One of them says yes to what one of them has asked for. */
  async function approveAmongThem(one: One): Promise<readonly string[]> {
    const asked = await waiting(true);
    if (asked.length === 0) return [];
    const by = clientOf(world, one(operators));
    return gainBy(() => by.post(`/approvals/${one(asked)}/approve`));
  }

  /** An approver outside of the group asks for something, agrees to another of them, or turns it down. */
  async function actHonestly(one: One, chance: number): Promise<void> {
    const { merchantId } = merchant;
    if (chance < 0.2)
      await owner.post(`/merchants/${merchantId}/adjustments`, {
        ...{ kind: 'credit', amount: 500, reason: 'r' },
      });
    else if (chance < 0.4) await owner.post(`/merchants/${merchantId}/api-keys`);
    else if (chance < 0.6) {
      const [asked] = await waiting(false);
      if (asked !== undefined) await honest.post(`/approvals/${asked}/approve`);
    } else if (chance < 0.8) {
      const asked = [...(await waiting(true)), ...(await waiting(false))];
      if (asked.length > 0) await honest.post(`/approvals/${one(asked)}/decline`, { note: 'no' });
    }
  }
}

/** What another operator asks for and an approver agrees to is decided by two. */
const KEYS_OF_OTHERS: Readonly<Record<string, RegExp>> = {
  'portal POST /api-key-requests/:approvalId/fetch': /^key /,
  'a key that an honest operator has asked for, fetched by whom its approver lets in': /^key /,
  'a key that others have asked for and approved, fetched by whom the group lets in': /^key /,
};

/** Numbers from 0 to 1 that follow from the seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
