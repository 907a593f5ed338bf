import type { Instant } from '@munshi/core';
import { answers, columns, from, orNull, shaped, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { execute, query, queryOne, statement } from '../platform/database/statement.ts';
import type { SealedSecret } from '../platform/vault.ts';
import { byPersonKind, CODE_KINDS, type CodeKind } from './person-tables.ts';

/** Secrets of one-time codes, and recovery codes: of operators and of merchants' people. */

/** Whose codes they are. */
export interface CodeHolder {
  readonly kind: CodeKind;
  readonly principalId: string;
}

export interface CodeRecord extends SealedSecret, CodeHolder {
  /** Null: set up, and no code has shown yet that the app has the secret. */
  readonly confirmedAt: Instant | null;
  /** Of the last code that was taken. */
  readonly lastStep: number;
  readonly wrongInARow: number;
}

/** The tables of each kind of person; they have the same columns. */
const TABLES = {
  operator: { codes: 'operator_codes', recovery: 'recovery_codes' },
  portal: { codes: 'portal_codes', recovery: 'portal_recovery_codes' },
} as const;

const OF = byPersonKind((kind, { id }) => {
  const { codes, recovery } = TABLES[kind];
  const record = shaped(
    columns('', {
      principalId: from(id, t.uuid),
      sealed: from('sealed_secret', t.bytes),
      sealKeyId: t.text,
      confirmedAt: orNull(t.instant),
      lastStep: t.bigint,
      wrongInARow: t.integer,
    }),
    (code): CodeRecord => ({ kind, ...code }),
  );
  return {
    lock: statement(
      `lock-${kind}-code`,
      `select ${record.list}
       from ${codes}
       where ${id} = $1
       for update`,
      record,
    ),
    put: statement(
      `put-${kind}-code`,
      `insert into ${codes} (${id}, sealed_secret, seal_key_id, created_at)
       values ($1, $2, $3, $4)
       on conflict (${id}) do update
       set sealed_secret = excluded.sealed_secret,
         seal_key_id = excluded.seal_key_id,
         created_at = excluded.created_at,
         last_step = 0,
         wrong_in_a_row = 0
       where ${codes}.confirmed_at is null`,
    ),
    update: statement(
      `update-${kind}-code`,
      `update ${codes}
       set confirmed_at = $2,
         last_step = $3,
         wrong_in_a_row = $4
       where ${id} = $1`,
    ),
    delete: statement(
      `delete-${kind}-code`,
      `delete from ${codes}
       where ${id} = $1`,
    ),
    deleteRecovery: statement(
      `delete-${kind}-recovery-codes`,
      `delete from ${recovery}
       where ${id} = $1`,
    ),
    insertRecovery: statement(
      `insert-${kind}-recovery-codes`,
      `insert into ${recovery} (${id}, code_hash)
       select $1, *
       from unnest($2::bytea[])`,
    ),
    useRecovery: statement(
      `use-${kind}-recovery-code`,
      `update ${recovery}
       set used_at = $3
       where ${id} = $1 and code_hash = $2 and used_at is null`,
    ),
    state: statement(
      `${kind}-code-state`,
      `select coalesce((
           select confirmed_at is not null from ${codes} where ${id} = $1
         ), false) as confirmed,
         (
           select count(*)::integer
           from ${recovery}
           where ${id} = $1 and used_at is null
         ) as recovery_codes`,
      answers({ confirmed: t.boolean, recoveryCodes: t.integer }),
    ),
    sealedOtherwise: statement(
      `${kind}-codes-sealed-otherwise`,
      `select ${record.list}
       from ${codes}
       where seal_key_id <> $1
       order by ${id}
       limit $2`,
      record,
    ),
    reseal: statement(
      `reseal-${kind}-code`,
      `update ${codes}
       set sealed_secret = $2,
         seal_key_id = $3
       where ${id} = $1`,
    ),
    deleteSealedOtherwise: statement(
      `delete-${kind}-codes-sealed-otherwise`,
      `delete from ${codes}
       where seal_key_id <> all($1::text[])`,
    ),
  };
}, CODE_KINDS);

/** Somebody's, locked until the transaction ends: each code is taken once. */
export async function lockCode(
  db: Queryable,
  { kind, principalId }: CodeHolder,
): Promise<CodeRecord | undefined> {
  return queryOne(db, OF[kind].lock, [principalId]);
}

/** A new secret, in place of one that was never confirmed. */
export async function putCode(
  db: Queryable,
  { kind, principalId }: CodeHolder,
  { sealed, sealKeyId }: SealedSecret,
  at: Instant,
): Promise<void> {
  await execute(db, OF[kind].put, [principalId, sealed, sealKeyId, time(at)]);
}

/** What became of a locked one. */
export async function updateCode(
  db: Queryable,
  { kind, principalId, confirmedAt, lastStep, wrongInARow }: CodeRecord,
): Promise<void> {
  await execute(db, OF[kind].update, [principalId, time(confirmedAt), lastStep, wrongInARow]);
}

/** Turns codes off, recovery codes too; answers whether there were any. */
export async function deleteCode(
  db: Queryable,
  { kind, principalId }: CodeHolder,
): Promise<boolean> {
  return (await execute(db, OF[kind].delete, [principalId])) === 1;
}

/** Recovery codes by their SHA-256, in place of those before. */
export async function putRecoveryCodes(
  db: Queryable,
  { kind, principalId }: CodeHolder,
  hashes: readonly Buffer[],
): Promise<void> {
  await execute(db, OF[kind].deleteRecovery, [principalId]);
  await execute(db, OF[kind].insertRecovery, [principalId, hashes]);
}

/** Takes a recovery code, once; answers whether it was one. */
export async function useRecoveryCode(
  db: Queryable,
  { kind, principalId }: CodeHolder,
  codeHash: Buffer,
  at: Instant,
): Promise<boolean> {
  return (await execute(db, OF[kind].useRecovery, [principalId, codeHash, time(at)])) === 1;
}

/** Whether codes are asked for, and how many recovery codes are left. */
export async function readCodeState(db: Queryable, { kind, principalId }: CodeHolder) {
  const [row] = await query(db, OF[kind].state, [principalId]);
  return { on: row?.confirmed ?? false, recoveryCodesLeft: row?.recoveryCodes ?? 0 };
}

/** Those that another master key than the one named has sealed, at most `limit` of each kind. */
export async function readCodesSealedOtherwise(
  db: Queryable,
  sealKeyId: string,
  limit: number,
): Promise<readonly CodeRecord[]> {
  const found = CODE_KINDS.map((kind) => query(db, OF[kind].sealedOtherwise, [sealKeyId, limit]));
  return (await Promise.all(found)).flat();
}

/** Encrypts a secret again and replaces it. */
export async function resealCode(
  db: Queryable,
  { kind, principalId }: CodeHolder,
  { sealed, sealKeyId }: SealedSecret,
): Promise<void> {
  await execute(db, OF[kind].reseal, [principalId, sealed, sealKeyId]);
}

/** Turns off every code that none of these seals has sealed; answers how many. */
export async function deleteCodesSealedOtherwise(
  db: Queryable,
  sealKeyIds: readonly string[],
): Promise<number> {
  let count = 0;
  for (const kind of CODE_KINDS)
    count += await execute(db, OF[kind].deleteSealedOtherwise, [sealKeyIds]);
  return count;
}
