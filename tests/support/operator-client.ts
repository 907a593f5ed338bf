import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@munshi/core';
import { createOperatorWithToken } from '../../apps/server/src/operators/service.ts';
import { OPERATOR_TOKEN, OPERATOR_TOKEN_2, type Service } from './service.ts';

/** An answer of a face: its text too, since `data` has read numbers as JavaScript does. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly data: any;
  readonly nextCursor: string | null | undefined;
  readonly error: string | undefined;
  /** Messages of problem details, by field. */
  readonly errors: Record<string, string[]> | undefined;
  readonly headers: Headers;
}

export interface OperatorClient {
  get(path: string): Promise<Answer>;
  /** Text is sent as it is. Adjustments have a new Idempotency-Key unless one is given. */
  post(path: string, body?: unknown, key?: string): Promise<Answer>;
  patch(path: string, body: unknown, key?: string): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/** One request to the operator face. Of a stream only its beginning is read. */
export async function send(
  service: Service,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${service.url}/api/operator${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const type = response.headers.get('content-type') ?? '';
  const isStream = type.startsWith('text/event-stream');
  if (isStream) await response.body?.cancel();
  const text = isStream ? '' : await response.text();
  const json = type.includes('json') ? JSON.parse(text) : {};
  return {
    status: response.status,
    text,
    data: json.data,
    nextCursor: json.nextCursor,
    error: json.error,
    errors: json.errors,
    headers: response.headers,
  };
}

/**
 * The operator face by a script token; the first operator of the environment when none is given.
 */
export function operatorClient(service: Service, token = OPERATOR_TOKEN): OperatorClient {
  const authorization = { Authorization: `Bearer ${token}` };
  const under = (key: string | undefined) => ({
    ...authorization,
    ...(key !== undefined && { 'Idempotency-Key': key }),
  });
  return {
    get: (path) => send(service, 'GET', path, authorization),
    post: (path, body, key = path.endsWith('adjustments') ? randomUUID() : undefined) =>
      send(service, 'POST', path, under(key), body),
    patch: (path, body, key) => send(service, 'PATCH', path, under(key), body),
    delete: (path) => send(service, 'DELETE', path, authorization),
  };
}

/** The second operator of the environment: the one who approves. */
export const secondOperator = (service: Service) => operatorClient(service, OPERATOR_TOKEN_2);

export interface TestOperator {
  readonly operatorId: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
}

/** An operator with a password and a script token, made on the server. */
export async function createOperator(
  { app: { deps } }: Service,
  role: OperatorRole,
  name?: string,
): Promise<TestOperator> {
  const username = `${role}-${randomUUID().slice(0, 8)}`;
  const password = 'a long enough password';
  const operator = { username, name: name ?? username, role, password };
  const made = await createOperatorWithToken(deps, operator, deps.clock.now());
  return { ...made, username, password };
}

/** The same, made by the first operator of the environment. */
export async function createControlled(
  service: Service,
  role: OperatorRole,
  by = operatorClient(service),
): Promise<TestOperator> {
  const username = `${role}-${randomUUID().slice(0, 8)}`;
  const password = 'a long enough password';
  const made = await by.post('/operators', { username, name: username, role, password });
  const { operatorId } = made.data;
  const issued = await by.post(`/operators/${operatorId}/tokens`, { name: 'tests' });
  return { operatorId, username, password, token: issued.data.token };
}
