import {
  CHANGE_OPERATOR,
  CREATE_OPERATOR,
  CREATE_OPERATOR_TOKEN,
  END_OPERATOR_SESSIONS,
  type Given,
  LIST_OPERATOR_TOKENS,
  LIST_OPERATORS,
  type OperatorView,
  REVOKE_OPERATOR_TOKEN,
  REVOKE_OPERATOR_TOKENS,
} from '@munshi/api';
import { type AskingOperator, operatorActions } from '@munshi/core';
import { operatorWrite } from '../door/door.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { requireCode } from '../people/one-time-codes.service.ts';
import { findOperator, listOperators, type OperatorRecord } from '../people/operators.store.ts';
import { listTokens, TOKEN_DAYS } from '../people/script-tokens.store.ts';
import type { Sessions } from '../people/session.http.ts';
import type { OperatorPrincipal } from '../people/sessions.store.ts';
import { bind, type RequestTo } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { fieldError, found, Refused } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import {
  changeOperator,
  createOperator,
  endOperatorSignIns,
  explainChange,
  explainCreation,
  explainToken,
  makeToken,
  operatorChangeWaits,
  revokeTokens,
} from './service.ts';

const showOperator = (operator: OperatorRecord, who: AskingOperator): Given<OperatorView> => ({
  ...operator,
  allowedActions: operatorActions(operator, who),
});

const shownTo = (who: Operator) => (operator: OperatorRecord) => showOperator(operator, who);

/** Operators with passwords and roles. */
export function operatorRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, END_OPERATOR_SESSIONS, async (request, caller) => {
    const { operatorId } = request.params;
    return { data: await doWrite(deps, caller, endOperatorSignIns(operatorId)) };
  });

  bind(face, LIST_OPERATORS, async (request, caller) => {
    const page = pageOf(request.query);
    const now = deps.clock.now();
    const rows = await listOperators(deps.database.pool, { now, ...page.place });
    return pageAnswer(page, rows, ({ operatorId }) => operatorId, shownTo(caller));
  });
}

/** Script tokens of operators. */
export function operatorTokenRoutes(face: OperatorFace, deps: Deps): void {
  const { database, clock } = deps;
  const findOne = async (operatorId: string) =>
    found(await findOperator(database.pool, operatorId, clock.now()), 'Operator');

  bind(face, LIST_OPERATOR_TOKENS, async ({ params, query }) => {
    const { operatorId } = await findOne(params.operatorId);
    const page = pageOf(query);
    const question = { operatorId, now: clock.now(), ...page.place };
    const rows = await listTokens(database.pool, question);
    return pageAnswer(page, rows, ({ tokenId }) => tokenId);
  });

  bind(face, REVOKE_OPERATOR_TOKENS, async (request, caller) => {
    const all = { operatorId: request.params.operatorId, tokenId: null };
    return { data: await doWrite(deps, caller, revokeTokens(all)) };
  });

  bind(face, REVOKE_OPERATOR_TOKEN, async (request, caller) => {
    const one = request.params;
    return { data: await doWrite(deps, caller, revokeTokens(one)) };
  });
}

/** Writes of operators that may wait for a second one. */
export const operatorWrites = (deps: Deps, sessions: Sessions<OperatorPrincipal>) => ({
  CREATE_OPERATOR: operatorWrite(deps, CREATE_OPERATOR, {
    kind: 'operator-create',
    read: ({ body: { username, name, role } }, hidden) => ({
      username,
      name,
      role,
      passwordHash: hidden?.passwordHash ?? null,
    }),
    explain: explainCreation,
    work: (client, operator, now, ids, { asker }) =>
      createOperator(client, now, ids, operator, asker),
    show: showOperator,
  }),

  CHANGE_OPERATOR: operatorWrite(deps, CHANGE_OPERATOR, {
    kind: 'operator-change',
    read: ({ params: { operatorId }, body: { password: _, ...change } }, hidden) => ({
      operatorId,
      change,
      passwordHash: hidden?.passwordHash ?? null,
    }),
    needsTwo: operatorChangeWaits,
    explain: explainChange,
    work: (client, asked, now, _ids, { asker }) => changeOperator(client, asked, now, asker),
    show: showOperator,
  }),

  CREATE_OPERATOR_TOKEN: operatorWrite(deps, CREATE_OPERATOR_TOKEN, {
    kind: 'operator-token',
    before: (request, caller) => requireOwnPassword(request, caller, deps, sessions),
    read: ({ params: { operatorId }, body: { name, expiresInDays = TOKEN_DAYS } }) => ({
      operatorId,
      name,
      expiresInDays,
    }),
    needsTwo: async (_client, token, who) =>
      CREATE_OPERATOR_TOKEN.decides.needsTwo(token, token, who),
    explain: explainToken,
    work: (client, token, now, ids, { asker }) => makeToken(client, now, ids, token, asker.id),
  }),
});

/** A script token of one's own is made by who knows the password and has the one-time code. */
async function requireOwnPassword(
  request: RequestTo<typeof CREATE_OPERATOR_TOKEN>,
  { id: operatorId, username }: Operator,
  deps: Deps,
  sessions: Sessions<OperatorPrincipal>,
): Promise<void> {
  const { params, body } = request;
  if (params.operatorId !== operatorId) return;
  const { hasPassword } = found(
    await findOperator(deps.database.pool, operatorId, deps.clock.now()),
    'Operator',
  );
  if (!hasPassword)
    throw new Refused(
      'wrong-state',
      'You have no password: another operator makes your script tokens, or "munshi operator-token" on the server.',
    );
  const { currentPassword, oneTimeCode } = body;
  const needed = 'is needed for a script token of your own.';
  if (currentPassword === undefined) throw fieldError('currentPassword', needed);
  await sessions.requirePassword(request, username, currentPassword);
  const holder = { kind: 'operator', principalId: operatorId } as const;
  await requireCode(deps, holder, oneTimeCode, null);
}
