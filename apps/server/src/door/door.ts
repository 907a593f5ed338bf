import type { AnswerOf, Decider, Endpoint, Given, WritePreview } from '@munshi/api';
import {
  type Approval,
  type ApprovalKind,
  type AskedWrite,
  type AskingOperator,
  daySumOf,
  type Instant,
  type NeedsTwo,
  OPERATORS_MAY,
  needsTwo as waitsBecause,
} from '@munshi/core';
import type { FastifyReply, RouteShorthandOptions } from 'fastify';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import type { Hidden } from '../engine/rows/approvals.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import { MAKE_APPROVERS, readMissingApprovers } from '../people/approvers.service.ts';
import type { Deps } from '../people/deps.ts';
import { bind, type RequestTo } from '../platform/http/bind.ts';
import { readJson } from '../platform/http/json.ts';
import type { Guarded } from '../platform/sign-in/guard.ts';
import { hashNewPassword } from '../platform/sign-in/refuse-guessed.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import {
  type Asker,
  askForWrite,
  type By,
  type Explained,
  isFetched,
  nameOf,
  notifyWaiting,
  partWaits,
  type ReadWrite,
  type WaitingWrite,
} from '../writes/waiting-writes.ts';
import { type Done, doWrite, type Work } from '../writes/write.ts';
import { readApproversOf } from './rules.service.ts';

/** A request as it is read again when it is approved: what it says, and not who asked. */
export type Asked<E extends Endpoint> = Pick<RequestTo<E>, 'params' | 'body' | 'sourceMembers'>;

/** What one request decides, or asks for. */
type OneRequest = Endpoint & {
  readonly decides: Exclude<Decider, { readonly by: 'nobody' }>;
};

/** Every answer of an endpoint. */
export type Answer<E extends Endpoint> =
  Given<AnswerOf<E>> extends { data: infer Data } ? Data : never;
export type Shown<E extends Endpoint> = Exclude<Answer<E>, { status: 'pendingApproval' }>;

export interface Parts<E extends Endpoint, Input, Result> {
  /** How its waiting requests are called, where they have a name of their own. */
  readonly kind?: ApprovalKind;
  /**
   * Before anything else, where a request comes and not where it is approved: what must be counted
   * though it is refused, as wrong passwords are.
   */
  before?(request: RequestTo<E>, caller: Operator): Promise<void>;
  /** What the request gives, beyond its schema; of its password the hash. Throws FieldErrors. */
  read(asked: Asked<E>, hidden: Hidden | null): Input | Promise<Input>;
  /** What a second operator is shown. Throws the refusals of the write. */
  explain(client: pg.PoolClient, given: Input, now: Instant, asker: Asker): Promise<Explained>;
  /** Of an endpoint decided by amount: `NeedsTwo` where nothing is done, because it waits. */
  work(
    client: pg.PoolClient,
    given: Input,
    now: Instant,
    ids: Ids,
    by: By,
  ): Promise<Done<Result> | NeedsTwo>;
  /** The answer, beside the secrets that it gives; the result itself where it is left out. */
  show?(result: Result, who: AskingOperator): WithoutSecrets<E>;
  /** The result once it is committed, where what follows the commit changes it. */
  reread?(result: Result): Promise<Result>;
  /** The answer while it waits, where it is not `pendingApproval` with what the other one reads. */
  showWaiting?: ((approval: Approval, who: AskingOperator) => Answer<E>) | undefined;
  /** What `?preview=true` answers besides whether it waits; about money, all of it. */
  preview?(given: Input, by: Alone): Promise<object>;
}

/** What a request comes to: its answer, and who can approve it where it waits. */
interface Served {
  readonly shown: object;
  readonly waitsFor: readonly string[] | null;
}

/** One operator, who decides alone or asks. */
type Alone = Omit<By, 'asker'> & { readonly approval: null };

export type WithoutSecrets<E extends Endpoint> = Omit<Shown<E>, SecretName>;
type SecretName = 'apiKey' | 'signingSecret' | 'token' | 'link' | 'secretShown';

/** Of an endpoint decided by change: whether this change waits. It locks what it reads of before. */
interface DecidesByChange<Input> {
  needsTwo(
    client: pg.PoolClient,
    given: Input,
    asker: AskingOperator,
    now: Instant,
  ): Promise<boolean>;
}

export type WriteParts<E extends Endpoint, Input, Result> = Parts<E, Input, Result> &
  (E extends { decides: { by: 'change' } } ? DecidesByChange<Input> : { needsTwo?: undefined });

/** A write of the operator face: it is served, and read again where its request has waited. */
export interface OperatorWrite<E extends Endpoint = Endpoint> extends WaitingWrite {
  readonly endpoint: E;
  readonly options: RouteShorthandOptions;
  serve(request: RequestTo<E>, caller: Operator, reply: FastifyReply): Promise<Given<AnswerOf<E>>>;
}

export const bindWrite = (face: OperatorFace, { endpoint, serve, options }: OperatorWrite): void =>
  bind(face, endpoint, serve, options);

/**
 * A write is done at once, or, where two operators are needed, asked for. It is then done as it was
 * asked when an approver says so, or, where it gives a secret, when that is fetched.
 */
export function operatorWrite<E extends OneRequest, Input, Result>(
  deps: Deps,
  endpoint: E,
  write: WriteParts<NoInfer<E>, Input, Result>,
  options: RouteShorthandOptions = {},
): OperatorWrite<E> {
  const { kind = 'write', explain, work, reread } = write;
  const needsTwo: DecidesByChange<Input>['needsTwo'] = write.needsTwo ?? (async () => false);
  const name = nameOf(endpoint);
  const show = (result: Result, who: AskingOperator) =>
    (write.show?.(result, who) ?? result) as object;

  async function readAgain({ params, body }: AskedWrite, hidden: Hidden | null) {
    const given = await write.read({ params, ...readJson(body ?? '') } as Asked<E>, hidden);
    const again: ReadWrite = {
      explain: (client, now, asker) => explain(client, given, now, asker),
      work: async (client, now, ids, by) => {
        const done = (await work(client, given, now, ids, by)) as Done<Result>;
        return { ...done, result: show(done.result, approverOf(by)) };
      },
    };
    return again;
  }

  async function serve(
    request: RequestTo<E>,
    caller: Operator,
    reply: FastifyReply,
  ): Promise<Given<AnswerOf<E>>> {
    if (isFetched(kind)) reply.header('cache-control', 'no-store');
    // What a preview is refused for counts nothing.
    if (!caller.preview) await write.before?.(request, caller);
    const { hidden, body } = await withoutSecrets(deps, request);
    const given = await write.read(request, hidden);
    const { actor } = caller;
    const alone = { actor, sumOf: daySumOf(caller), approval: null };
    const perform: Work<Served> = async (client, now, ids) => {
      const mayWait = endpoint.decides.by === 'two' || (await needsTwo(client, given, caller, now));
      // Read last: the change may have locked the settings.
      const waits = mayWait && (await readPlatformSettings(client)).requireSecondOperator;
      const done = waits
        ? waitsBecause('declared')
        : await work(client, given, now, ids, { ...alone, asker: actor });
      if (!('status' in done)) {
        const adds = reread && (async () => show(await reread(done.result), caller));
        const result = { shown: show(done.result, caller), waitsFor: null };
        return { ...done, result, ...(adds && { adds }) };
      }
      if (takesAway(request.body)) throw partWaits();
      const asked = await askForWrite(client, now, ids, {
        actor,
        kind,
        asked: { endpoint: name, params: request.params as AskedWrite['params'], body },
        hidden,
        write: { explain: (db, at, asker) => explain(db, given, at, asker) },
      });
      const approval = asked.result;
      const { approvalId } = approval;
      const approvers = await readApproversOf(client, deps, approval);
      const shown = write.showWaiting?.(approval, caller) ?? {
        status: 'pendingApproval',
        approvalId,
        request: approval.request,
      };
      const after = () => notifyWaiting(deps, approvalId);
      const adds = async () => {
        const missing = await readMissingApprovers(deps.database.pool, deps);
        return missing > 0 ? { hint: MAKE_APPROVERS } : {};
      };
      const result = { shown: { ...shown, approvers }, waitsFor: approvers };
      return { ...asked, result, after, adds };
    };
    if (caller.preview) {
      const effect = await write.preview?.(given, alone);
      if (endpoint.decides.by === 'amount') return { data: effect } as Given<AnswerOf<E>>;
      const { waitsFor } = await doWrite(deps, caller, perform);
      return { data: { ...previewOf(waitsFor), ...effect } } as Given<AnswerOf<E>>;
    }
    return { data: await doWrite(deps, caller, perform, ({ shown }) => shown) } as Given<
      AnswerOf<E>
    >;
  }

  /** Whether a write that is not about money waits, why and for whom. */
  function previewOf(approvers: Served['waitsFor']): Given<WritePreview> {
    const { decides } = endpoint;
    const rule = decides.by === 'change' ? decides.waits : null;
    const wait = approvers && { why: 'declared' as const, rule, approvers };
    return { preview: true, status: wait ? 'pendingApproval' : 'done', wait, limit: null };
  }
  return { endpoint, options, serve, readAgain };
}

/** The approver by whom a request is done. */
const approverOf = ({ actor }: By): AskingOperator => ({
  id: actor.id,
  capabilities: OPERATORS_MAY.of('approver'),
});

/** A suspension never waits, so a part that waits is not taken together with one. */
const takesAway = (body: unknown): boolean => {
  const { status } = (body ?? {}) as { readonly status?: unknown };
  return status === 'suspended' || status === 'closed';
};

/** A password waits as its hash; by what the asker has shown who they are, not at all. */
async function withoutSecrets(
  deps: Guarded,
  { body, bodyText }: { readonly body: unknown; readonly bodyText: string | null },
): Promise<{ readonly hidden: Hidden | null; readonly body: string | null }> {
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  const { password, currentPassword, oneTimeCode, ...rest } = given;
  const secrets = [password, currentPassword, oneTimeCode];
  if (secrets.every((one) => one === undefined)) return { hidden: null, body: bodyText };
  const hidden =
    typeof password === 'string' ? { passwordHash: await hashNewPassword(deps, password) } : null;
  return { hidden, body: JSON.stringify(rest) };
}
