import { randomUUID } from 'node:crypto';
import { includesRole } from '@munshi/core';
import Fastify from 'fastify';
import { describe, expect } from 'vitest';
import { guardRoutes, ROUTE_ROLES } from '../../../apps/server/src/http/operator/access.ts';
import {
  createOperator,
  operatorClient,
  send,
  type TestOperator,
} from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const ROLES = ['viewer', 'support', 'admin'] as const;

const operators = {} as Record<(typeof ROLES)[number], TestOperator>;
const { test, service } = await serviceTest();
for (const role of ROLES) operators[role] = await createOperator(service, role);

/** Ids of nothing, so that no request of the matrix has an effect. */
const pathOf = (url: string) => url.replaceAll(/:\w+/g, () => randomUUID());

describe.each(Object.entries(ROUTE_ROLES))('%s (%s)', (name, needed) => {
  const [method, url] = name.split(' ') as [string, string];
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};

  test('is a route of the service', () => {
    expect(service.app.http.hasRoute({ method, url: `/api/operator${url}` })).toBe(true);
  });

  if (needed === 'anyone') return;

  test('is refused without a token, and with one that nobody has', async () => {
    expect((await send(service, method, pathOf(url), {}, body)).status).toBe(401);
    expect(
      (
        await send(
          service,
          method,
          pathOf(url),
          { Authorization: 'Bearer op_nobody-has-this' },
          body,
        )
      ).status,
    ).toBe(401);
  });

  test.each(ROLES)('by a %s', async (role) => {
    const answer = await send(
      service,
      method,
      pathOf(url),
      { Authorization: `Bearer ${operators[role].token}` },
      body,
    );
    if (includesRole(role, needed)) expect([200, 400, 404, 409]).toContain(answer.status);
    else
      expect(answer).toMatchObject({
        status: 403,
        error: `This needs the role ${needed}; you have ${role}.`,
      });
  });
});

test('a route without an entry in the table of roles does not start', () => {
  const app = Fastify();
  guardRoutes(app, { trustedProxies: [], operatorTokens: [] } as never, {} as never);
  expect(() => app.get('/secrets', async () => 'all of them')).toThrow(
    'the operator route GET /secrets has no role',
  );
});

test('an operator cannot change their own role or status', async () => {
  const admin = operatorClient(service, operators.admin.token);
  for (const change of [{ role: 'viewer' }, { status: 'suspended' }]) {
    expect((await admin.patch(`/operators/${operators.admin.operatorId}`, change)).status).toBe(
      409,
    );
  }
  expect(
    (await admin.patch(`/operators/${operators.admin.operatorId}`, { name: 'Renamed' })).data.name,
  ).toBe('Renamed');
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
