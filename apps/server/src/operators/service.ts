import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { CHANGE_OPERATOR, type ChangeOperator } from '@munshi/api';
import {
  type Instant,
  ON_SERVER,
  OPERATORS_MAY,
  type OperatorFields,
  type OperatorRole,
  refuseOperatorChange,
  refuseToken,
} from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import { fallApprovals } from '../engine/rows/approvals.ts';
import { setGiver } from '../people/credentials.store.ts';
import {
  findOperator,
  insertOperator,
  lockOperator,
  lockOperatorNames,
  type OperatorRecord,
  readOperatorNames,
  updateOperator,
} from '../people/operators.store.ts';
import { findByUsername, forgetPassword } from '../people/passwords.store.ts';
import { DAY_MS, deleteTokens, TOKEN_DAYS } from '../people/script-tokens.store.ts';
import { hashToken } from '../people/sessions.service.ts';
import {
  deleteAllSessionsOf,
  deleteByAnother,
  deleteLentTokens,
  insertSession,
} from '../people/sessions.store.ts';
import { inTransaction } from '../platform/database/db.ts';
import { found, Refused, refuseOn, refuseTaken } from '../platform/refusals.ts';
import { hashPassword } from '../platform/sign-in/passwords.ts';
import { makeRecoveryLink } from '../recovery/service.ts';
import { insertAudit } from '../writes/audit-log.store.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Asker, Explained } from '../writes/waiting-writes.ts';
import type { Done, Work } from '../writes/write.ts';
import { auditEntry, changesOf, namesOf, type Written } from '../writes/write.ts';

export interface NewOperator {
  readonly username: string;
  readonly name: string;
  readonly role: OperatorRole;
  /** Null: the operator works by script token alone. */
  readonly passwordHash: string | null;
}

/** The person at the server's command line: in the audit log without a name of their own. */
export const COMMAND_LINE = {
  kind: 'operator',
  id: ON_SERVER,
  name: 'the command line',
  address: 'local',
} as const;

/** Adds an active operator. Throws `already-exists` where the username or the name is taken. */
export async function createOperator(
  client: pg.PoolClient,
  now: Instant,
  ids: Ids,
  { username, name, role, passwordHash }: NewOperator,
  by: Asker,
): Promise<Written<OperatorRecord>> {
  await refuseTakenName(client, name, null);
  const operatorId = ids.uuid(now);
  const operator = { operatorId, username, name, role, passwordHash, createdAt: now };
  await insertOperator(client, operator).catch(refuseTaken(`The username ${username} is taken.`));
  await setGiver(client, 'operator', operatorId, { kind: 'operator', id: by.id });
  return {
    result: found(await findOperator(client, operatorId, now), 'Operator'),
    action: 'operator.create' as const,
    target: operatorId,
    detail: { username, role },
  };
}

/** Nobody passes for another: what people read as the same name is the same. */
async function refuseTakenName(
  client: pg.PoolClient,
  name: string,
  operatorId: string | null,
): Promise<void> {
  await lockOperatorNames(client);
  const plain = plainName(name);
  const others = (await readOperatorNames(client)).filter((one) => one.operatorId !== operatorId);
  const taken =
    RESERVED_NAMES.includes(plain) ||
    others.some((one) => plainName(one.name) === plain || plainName(one.username) === plain);
  if (taken)
    throw new Refused('already-exists', `Another operator is called ${name}. Choose another name.`);
}

/** Without case, and without what nobody sees: characters that are drawn as nothing, more spaces. */
const plainName = (name: string): string =>
  name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
/** How the audit log calls who is no row of the table. */
const RESERVED_NAMES: readonly string[] = [
  COMMAND_LINE.name,
  'OPERATOR_TOKEN',
  'OPERATOR_TOKEN_2',
].map(plainName);

/**
 * What a second operator is shown of a new one. Throws `already-exists` for a name that is taken.
 */
export async function explainCreation(
  client: pg.PoolClient,
  { username, name, role, passwordHash }: NewOperator,
): Promise<Explained> {
  await refuseTakenName(client, name, null);
  const password = passwordHash === null ? 'none' : 'given';
  return { target: username, shown: { username, name, role, password } };
}

/** A change of an operator, read from its request. */
export interface AskedChange {
  readonly operatorId: string;
  readonly change: Omit<ChangeOperator, 'password'>;
  readonly passwordHash: string | null;
}

const fieldsOf = ({ change, passwordHash }: AskedChange): OperatorFields => ({
  ...change,
  ...(passwordHash !== null && { password: 'a new one' }),
});

/** The operator before and after a change, locked. Throws `not-found`. */
async function lockChanged(
  client: pg.PoolClient,
  { operatorId, change }: Pick<AskedChange, 'operatorId' | 'change'>,
  now: Instant,
) {
  await lockOperator(client, operatorId);
  const before = found(await findOperator(client, operatorId, now), 'Operator');
  return { before, after: { ...before, ...change } };
}

/** Whether a change waits while a second operator is required. The operator is locked. */
export async function operatorChangeWaits(
  client: pg.PoolClient,
  asked: AskedChange,
  who: Asker,
  now: Instant,
): Promise<boolean> {
  const { before } = await lockChanged(client, asked, now);
  return CHANGE_OPERATOR.decides.needsTwo(before, fieldsOf(asked), who);
}

/** Throws `not-found`, `already-exists` for a name, and the refusals of refuseOperatorChange. */
export async function explainChange(
  client: pg.PoolClient,
  asked: AskedChange,
  now: Instant,
  who: Asker,
): Promise<Explained> {
  const { operatorId, change } = asked;
  const { before, after } = await lockChanged(client, asked, now);
  const { password } = fieldsOf(asked);
  refuseOn(refuseOperatorChange(before, fieldsOf(asked), who));
  if (change.name !== undefined) await refuseTakenName(client, change.name, operatorId);
  const shown = {
    operatorId,
    username: before.username,
    ...changesOf(before, after, change),
    ...(password !== undefined && { password }),
  };
  return { target: operatorId, shown };
}

/**
 * Changes the fields that are given. A new password ends the operator's sessions and script tokens,
 * another role their sign-ins and the tokens that they made, a suspension those that they made for
 * others; their pending requests are dropped when they are suspended or lowered
 * (security.md#two-operators).
 */
export async function changeOperator(
  client: pg.PoolClient,
  asked: AskedChange,
  now: Instant,
  asker: Asker,
): Promise<Done<OperatorRecord>> {
  const { operatorId, change, passwordHash } = asked;
  const { before, after } = await lockChanged(client, asked, now);
  refuseOn(refuseOperatorChange(before, fieldsOf(asked), asker));
  if (change.name !== undefined) await refuseTakenName(client, change.name, operatorId);
  await updateOperator(client, after, passwordHash);
  if (passwordHash !== null) await deleteAllSessionsOf(client, operatorId);
  const another = asker.id !== operatorId;
  if (another && passwordHash !== null)
    await setGiver(client, 'operator', operatorId, { kind: 'operator', id: asker.id });
  const ends = passwordHash !== null || after.role !== before.role;
  if (another && ends) await deleteByAnother(client, operatorId);
  if (another && change.status === 'suspended') await deleteLentTokens(client, operatorId);
  if (change.status === 'suspended' || OPERATORS_MAY.exceeds(before.role, after.role))
    await fallApprovals(client, operatorId);
  return {
    result: found(await findOperator(client, operatorId, now), 'Operator'),
    endsSessionsOf: operatorId,
    action: 'operator.update' as const,
    target: operatorId,
    detail: { fields: namesOf(fieldsOf(asked)), ...changesOf(before, after, change) },
  };
}

/** Ends the sign-ins of an operator, and the script tokens that they made. Throws `not-found`. */
export const endOperatorSignIns =
  (operatorId: string): Work<{ readonly ended: number }> =>
  async (client, now) => {
    found(await findOperator(client, operatorId, now), 'Operator');
    const ended = await deleteByAnother(client, operatorId);
    return {
      result: { ended },
      action: 'operator.sessions-end',
      target: operatorId,
      detail: { ended },
      endsSessionsOf: operatorId,
    };
  };

export interface NewToken {
  readonly operatorId: string;
  readonly name: string;
  readonly expiresInDays: number;
}

/** Throws `not-found`, and the refusals of refuseToken. */
export async function explainToken(
  client: pg.PoolClient,
  { operatorId, name, expiresInDays }: NewToken,
  now: Instant,
  who: Asker,
): Promise<Explained> {
  const operator = found(await findOperator(client, operatorId, now), 'Operator');
  refuseOn(refuseToken(operator, who));
  const { username } = operator;
  return { target: operatorId, shown: { operatorId, username, name, expiresInDays } };
}

export interface MadeToken {
  readonly operatorId: string;
  readonly tokenId: string;
  readonly name: string;
  readonly expiresAt: Instant;
}

/**
 * Makes a script token of an active operator; the token itself is shown once. It ends those that
 * another operator gave them. `madeBy`: by another way than on the server.
 */
export async function makeToken(
  client: pg.PoolClient,
  now: Instant,
  ids: Ids,
  { operatorId, name, expiresInDays }: NewToken,
  madeBy: string | null,
): Promise<Done<MadeToken> & { readonly secrets: { readonly token: string } }> {
  const token = `op_${randomBytes(32).toString('base64url')}`;
  const operator = found(await findOperator(client, operatorId, now), 'Operator');
  refuseOn(refuseToken(operator, { id: madeBy ?? operatorId }));
  if (madeBy !== null && madeBy !== operatorId)
    await setGiver(client, 'operator', operatorId, { kind: 'operator', id: madeBy });
  const tokenId = ids.uuid(now);
  const expiresAt = now + expiresInDays * DAY_MS;
  await insertSession(client, {
    sessionId: tokenId,
    tokenHash: hashToken(token),
    kind: 'operator-token',
    principalId: operatorId,
    csrfToken: null,
    name,
    createdAt: now,
    expiresAt,
    address: null,
    userAgent: null,
    previous: null,
    madeBy,
  });
  return {
    result: { operatorId, tokenId, name, expiresAt },
    secrets: { token },
    action: 'operator.token' as const,
    target: operatorId,
    detail: { tokenId, name, expiresInDays },
    endsSessionsOf: operatorId,
  };
}

/** Revokes one script token of an operator, or with null all of them; answers how many. */
export const revokeTokens =
  ({
    operatorId,
    tokenId,
  }: {
    readonly operatorId: string;
    readonly tokenId: string | null;
  }): Work<{ readonly revoked: number }> =>
  async (client, now) => {
    if (tokenId === null) found(await findOperator(client, operatorId, now), 'Operator');
    const names = await deleteTokens(client, { operatorId, tokenId, now });
    const revoked = names.length;
    return {
      result: { revoked },
      action: 'operator.token-revoke',
      target: operatorId,
      detail: { revoked, ...(tokenId !== null && { tokenId, name: found(names[0], 'Token') }) },
      endsSessionsOf: operatorId,
    };
  };

/** From the server's command line: an operator with a script token, which is shown this once. */
export async function createOperatorWithToken(
  { database: { pool }, ids }: Pick<ServiceDeps, 'database' | 'ids'>,
  {
    password,
    ...operator
  }: Omit<NewOperator, 'passwordHash'> & { readonly password?: string | undefined },
  now: Instant,
): Promise<{ readonly operatorId: string; readonly token: string }> {
  const passwordHash = password === undefined ? null : await hashPassword(password);
  return inTransaction(pool, async (client) => {
    const newcomer = { ...operator, passwordHash };
    const { target, ...created } = await createOperator(client, now, ids, newcomer, COMMAND_LINE);
    const token = { operatorId: target, name: operator.username, expiresInDays: TOKEN_DAYS };
    const { secrets } = await makeToken(client, now, ids, token, null);
    const detail = { ...created.detail, token: true, systemUser: systemUser() };
    const entry = { action: created.action, target, detail };
    await insertAudit(client, auditEntry(ids, COMMAND_LINE, entry, now));
    return { operatorId: target, ...secrets };
  });
}

/**
 * From the server's command line: a link by which an operator chooses a password, shown this once.
 * A new operator is made, an admin unless `role` says otherwise. One who is known is active again
 * and has `role` if it is given; their password, sign-ins and script tokens have ended.
 */
export async function makeOperatorLink(
  { database: { pool }, ids, pageOrigin }: Pick<ServiceDeps, 'database' | 'ids' | 'pageOrigin'>,
  { username, role }: { readonly username: string; readonly role: OperatorRole | null },
  now: Instant,
): Promise<{ readonly link: string }> {
  return inTransaction(pool, async (client) => {
    const record = ({ target, action, detail }: Written<unknown>) => {
      const entry = { action, target, detail: { ...detail, systemUser: systemUser() } };
      return insertAudit(client, auditEntry(ids, COMMAND_LINE, entry, now));
    };
    const known = await findByUsername(client, 'operator', username);
    const operator = { username, name: username, role: role ?? 'admin', passwordHash: null };
    const admitted =
      known === undefined
        ? await createOperator(client, now, ids, operator, COMMAND_LINE)
        : await startAnew(client, known.principalId, role, now);
    await record(admitted);
    const principalId = admitted.target;
    const forWhom = { face: 'operator', principalId, by: COMMAND_LINE } as const;
    const { secrets, ...made } = await makeRecoveryLink(client, now, forWhom, { ids, pageOrigin });
    await record(made);
    return secrets;
  });
}

/** Active, with another role where one is given, and without any way to sign in. */
async function startAnew(
  client: pg.PoolClient,
  operatorId: string,
  role: OperatorRole | null,
  now: Instant,
): Promise<Written<OperatorRecord>> {
  const { before } = await lockChanged(client, { operatorId, change: {} }, now);
  const change = { role: role ?? before.role, status: 'active', hasPassword: false } as const;
  const after = { ...before, ...change };
  await updateOperator(client, after, null);
  await forgetPassword(client, operatorId);
  await deleteAllSessionsOf(client, operatorId);
  return {
    result: found(await findOperator(client, operatorId, now), 'Operator'),
    action: 'operator.update',
    target: operatorId,
    detail: changesOf(before, after, change),
  };
}

/** Who runs this process, by name, or by number where the system has no name, as in containers. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
