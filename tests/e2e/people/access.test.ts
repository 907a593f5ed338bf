import Fastify from 'fastify';
import { expect } from 'vitest';
import { guardRoutes } from '../../../apps/server/src/people/access.operator.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Which role each route needs: tests/security/access-matrix.test.ts, for every route. */
const { test, service } = await serviceTest();

test('who lacks a role reads which one is needed and which one they have', async () => {
  const { token } = await createOperator(service, 'viewer');
  expect(await operatorClient(service, token).get('/operators')).toMatchObject({
    status: 403,
    error: 'This needs the role admin; you have viewer.',
  });
});

test('a route that declares no role does not start', () => {
  const app = Fastify();
  guardRoutes(app, { trustedProxies: [], operatorTokens: [] } as never, {} as never);
  expect(() => app.get('/secrets', async () => 'all of them')).toThrow(
    'the operator route GET /secrets is no endpoint of packages/api',
  );
});

test('an operator cannot change their own role or status', async () => {
  const { operatorId, token } = await createOperator(service, 'admin');
  const admin = operatorClient(service, token);
  for (const change of [{ role: 'viewer' }, { status: 'suspended' }]) {
    expect((await admin.patch(`/operators/${operatorId}`, change)).status).toBe(409);
  }
  expect((await admin.patch(`/operators/${operatorId}`, { name: 'Renamed' })).data.name).toBe(
    'Renamed',
  );
});

test('a lower role holds from the next request on', async () => {
  const other = await createOperator(service, 'admin');
  const client = operatorClient(service, other.token);
  expect((await client.get('/operators')).status).toBe(200);
  await operatorClient(service).patch(`/operators/${other.operatorId}`, { role: 'viewer' });
  expect((await client.get('/operators')).status).toBe(403);
});

test('revoked script tokens are refused on the next request', async () => {
  const other = await createOperator(service, 'viewer');
  const client = operatorClient(service, other.token);
  expect((await client.get('/orders')).status).toBe(200);
  expect(
    (await operatorClient(service).delete(`/operators/${other.operatorId}/tokens`)).data,
  ).toEqual({ revoked: 1 });
  expect((await client.get('/orders')).status).toBe(401);
});

test('an id of another shape names nothing', async () => {
  expect(await operatorClient(service).get('/orders/17')).toMatchObject({
    status: 404,
    error: 'Not found.',
  });
});
