import { expect } from 'vitest';
import { createOperatorWithToken } from '../../../apps/server/src/operators/service.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest({ OPERATOR_TOKEN: '', OPERATOR_TOKEN_2: '' });
const { pool } = service.database;

/** An admin with a script token, as the command line makes them. */
async function newAdmin(username: string) {
  const { deps } = service.app;
  const operator = { username, name: username, role: 'admin' } as const;
  const { token } = await createOperatorWithToken(deps, operator, deps.clock.now());
  const client = operatorClient(service, token);
  return { client, operatorId: (await client.get('/session')).data.operator.operatorId as string };
}

const suspendAllBut = (operatorIds: readonly string[]) =>
  pool.query("update operators set status = 'suspended' where operator_id <> all($1)", [
    operatorIds,
  ]);

test.for([{ role: 'viewer' }, { status: 'suspended' }])(
  'of two admins who do away with each other at once, by %j, one is left',
  async (change) => {
    const [field = ''] = Object.keys(change);
    const [one, two] = [await newAdmin(`one-${field}`), await newAdmin(`two-${field}`)];
    await suspendAllBut([one.operatorId, two.operatorId]);
    const answers = await Promise.all([
      one.client.patch(`/operators/${two.operatorId}`, change),
      two.client.patch(`/operators/${one.operatorId}`, change),
    ]);
    const [first, second] = answers.map(({ status }) => status).sort();
    expect(first).toBe(200);
    // The one who came second is refused, or was no admin any more when they came.
    expect([403, 409]).toContain(second);
    const { rows } = await pool.query(
      "select count(*)::integer as count from operators where role = 'admin' and status = 'active'",
    );
    expect(rows).toEqual([{ count: 1 }]);
  },
);

test('an admin who is left alone may lower nobody but others', async () => {
  const last = await newAdmin('last');
  await suspendAllBut([last.operatorId]);
  const lower = (operatorId: string) =>
    last.client.patch(`/operators/${operatorId}`, { role: 'viewer' });
  expect((await lower(last.operatorId)).status).toBe(409);
  expect((await lower((await newAdmin('other')).operatorId)).status).toBe(200);
});
