import type { AnswerOf, Decider, Endpoint } from '@munshi/api';
import type { AskedWrite, Instant } from '@munshi/core';
import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import type pg from 'pg';
import type { Ids } from '../../engine/ids.ts';
import { tellWaiting } from '../../services/approvals.ts';
import { requireApprover } from '../../services/independent-admins.ts';
import { askForWrite, type Explained, type ReadWrite } from '../../services/waiting-writes.ts';
import { type OperatorCaller, recordedWrite, type Written } from '../../services/write.ts';
import { readPlatformSettings } from '../../storage/settings.ts';
import { bind, type RequestTo } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { readJson } from '../json.ts';
import { callerOf, type Operator } from './access.ts';

/** A request as it is read again when it is approved: what it says, and not who asked. */
export type Asked<E extends Endpoint> = Pick<RequestTo<E>, 'params' | 'body' | 'sourceMembers'>;

/** What one request decides, or asks for. */
type OneRequest = Endpoint & {
  readonly decides: Exclude<Decider, { readonly by: 'amount' | 'nobody' }>;
};

type Done<E extends Endpoint> = Exclude<
  AnswerOf<E> extends { data: infer Data } ? Data : never,
  { status: 'pendingApproval' }
>;

interface Parts<E extends Endpoint, Given, Result> {
  /** What the request gives, beyond its schema. Throws FieldErrors. */
  read(asked: Asked<E>): Given | Promise<Given>;
  /** What a second operator is shown. Throws the refusals of the write. */
  explain(client: pg.PoolClient, given: Given, now: Instant): Promise<Explained>;
  work(client: pg.PoolClient, given: Given, now: Instant, ids: Ids): Promise<Written<Result>>;
  show(result: Result, operator: Operator): Done<E>;
  /** The answer to `?preview=true`, where the endpoint has one. */
  preview?(given: Given): Promise<Done<E>>;
}

/** Of an endpoint decided by change: whether this change waits. What it reads of before, it locks. */
interface DecidesByChange<Given> {
  needsTwo(client: pg.PoolClient, given: Given, asker: OperatorCaller['actor']): Promise<boolean>;
}

export type OperatorWrite<E extends Endpoint, Given, Result> = Parts<E, Given, Result> &
  (E extends { decides: { by: 'change' } } ? DecidesByChange<Given> : { needsTwo?: undefined });

/**
 * Serves a write that is no command: done at once, or, while a second operator is required and
 * its endpoint declares that it waits, asked for. It is then done as it was asked when another
 * operator approves it.
 */
export function bindWrite<E extends OneRequest, Given, Result>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: E,
  write: OperatorWrite<E, Given, Result>,
  options: RouteShorthandOptions = {},
): void {
  const { explain, work, show } = write;
  const needsTwo: DecidesByChange<Given>['needsTwo'] = write.needsTwo ?? (async () => false);
  const name = `${endpoint.method} ${endpoint.path}`;
  const readWrite = async (asked: Asked<E>) => {
    const given = await write.read(asked);
    return {
      given,
      explain: (client, now) => explain(client, given, now),
      work: (client: pg.PoolClient, now: Instant, ids: Ids) => work(client, given, now, ids),
    } satisfies ReadWrite & { given: Given };
  };
  deps.waitingWrites.set(name, ({ params, body }: AskedWrite) =>
    readWrite({ params, ...readJson(body ?? '') } as Asked<E>),
  );

  const serve = async (request: RequestTo<E>) => {
    const { operator, params, bodyText } = request;
    const caller = callerOf(request);
    const { given, ...read } = await readWrite(request);
    if (caller.preview && write.preview !== undefined)
      return { data: await write.preview(given) } as AnswerOf<E>;
    const done = async (client: pg.PoolClient, now: Instant, ids: Ids) => {
      const waits = endpoint.decides.by === 'two' || (await needsTwo(client, given, caller.actor));
      // Read last: the change may have locked the settings.
      if (!waits || !(await readPlatformSettings(client)).requireSecondOperator) {
        const { result, ...written } = await read.work(client, now, ids);
        return { ...written, result: show(result, operator) as object };
      }
      await requireApprover(client, deps, caller.actor);
      const asked = { endpoint: name, params: params as AskedWrite['params'], body: bodyText };
      return askForWrite(client, now, ids, { actor: caller.actor, asked, write: read });
    };
    const data = await recordedWrite(deps, caller, done, (shown) => shown);
    if ('approvalId' in data) tellWaiting(deps, String(data.approvalId));
    return { data } as AnswerOf<E>;
  };
  bind(app, endpoint, serve, options);
}
