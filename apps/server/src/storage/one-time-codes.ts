import type { Instant } from '@munshi/core';
import type { SealedSecret } from '../vault.ts';
import type { Queryable } from './db.ts';
import { type Row, time } from './rows.ts';
import { execute, query, statement } from './statement.ts';

/** Secrets of operators' one-time codes, and their recovery codes. */

export interface CodeRecord extends SealedSecret {
  readonly operatorId: string;
  /** Null: set up, and no code has shown yet that the app has the secret. */
  readonly confirmedAt: Instant | null;
  /** Of the last code that was taken. */
  readonly lastStep: number;
  readonly wrongInARow: number;
}

const readCode = (row: Row): CodeRecord => ({
  operatorId: row['operator_id'],
  sealed: row['sealed_secret'],
  sealKeyId: row['seal_key_id'],
  confirmedAt: row['confirmed_at'],
  lastStep: Number(row['last_step']),
  wrongInARow: row['wrong_in_a_row'],
});

const LOCK = statement(
  'lock-operator-code',
  `select operator_id, sealed_secret, seal_key_id, confirmed_at, last_step, wrong_in_a_row
   from operator_codes
   where operator_id = $1
   for update`,
);

/** Somebody's, locked until the transaction ends: each code is taken once. */
export async function lockCode(db: Queryable, operatorId: string): Promise<CodeRecord | undefined> {
  const [row] = await query(db, LOCK, [operatorId]);
  return row && readCode(row);
}

const PUT = statement(
  'put-operator-code',
  `insert into operator_codes (operator_id, sealed_secret, seal_key_id, created_at)
   values ($1, $2, $3, $4)
   on conflict (operator_id) do update
   set sealed_secret = excluded.sealed_secret,
     seal_key_id = excluded.seal_key_id,
     created_at = excluded.created_at,
     last_step = 0,
     wrong_in_a_row = 0
   where operator_codes.confirmed_at is null`,
);

/** A new secret, in place of one that was never confirmed. */
export async function putCode(
  db: Queryable,
  operatorId: string,
  { sealed, sealKeyId }: SealedSecret,
  at: Instant,
): Promise<void> {
  await execute(db, PUT, [operatorId, sealed, sealKeyId, time(at)]);
}

const UPDATE = statement(
  'update-operator-code',
  `update operator_codes
   set confirmed_at = $2,
     last_step = $3,
     wrong_in_a_row = $4
   where operator_id = $1`,
);

/** What became of a locked one. */
export async function updateCode(
  db: Queryable,
  { operatorId, confirmedAt, lastStep, wrongInARow }: CodeRecord,
): Promise<void> {
  await execute(db, UPDATE, [operatorId, time(confirmedAt), lastStep, wrongInARow]);
}

const DELETE = statement(
  'delete-operator-code',
  `delete from operator_codes
   where operator_id = $1`,
);

/** Turns codes off, recovery codes too; answers whether there were any. */
export async function deleteCode(db: Queryable, operatorId: string): Promise<boolean> {
  return (await execute(db, DELETE, [operatorId])) === 1;
}

const DELETE_RECOVERY = statement(
  'delete-recovery-codes',
  `delete from recovery_codes
   where operator_id = $1`,
);
const INSERT_RECOVERY = statement(
  'insert-recovery-codes',
  `insert into recovery_codes (operator_id, code_hash)
   select $1, *
   from unnest($2::bytea[])`,
);

/** Recovery codes by their SHA-256, in place of those before. */
export async function putRecoveryCodes(
  db: Queryable,
  operatorId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await execute(db, DELETE_RECOVERY, [operatorId]);
  await execute(db, INSERT_RECOVERY, [operatorId, hashes]);
}

const USE_RECOVERY = statement(
  'use-recovery-code',
  `update recovery_codes
   set used_at = $3
   where operator_id = $1 and code_hash = $2 and used_at is null`,
);

/** Takes a recovery code, once; answers whether it was one. */
export async function useRecoveryCode(
  db: Queryable,
  operatorId: string,
  codeHash: Buffer,
  at: Instant,
): Promise<boolean> {
  return (await execute(db, USE_RECOVERY, [operatorId, codeHash, time(at)])) === 1;
}

const STATE = statement<{ readonly confirmed: boolean; readonly recovery_codes: number }>(
  'operator-code-state',
  `select coalesce((
       select confirmed_at is not null from operator_codes where operator_id = $1
     ), false) as confirmed,
     (
       select count(*)::integer
       from recovery_codes
       where operator_id = $1 and used_at is null
     ) as recovery_codes`,
);

/** Whether codes are asked for, and how many recovery codes are left. */
export async function readCodeState(db: Queryable, operatorId: string) {
  const [row] = await query(db, STATE, [operatorId]);
  return { on: row?.confirmed ?? false, recoveryCodesLeft: row?.recovery_codes ?? 0 };
}

const SEALED_OTHERWISE = statement(
  'codes-sealed-otherwise',
  `select operator_id, sealed_secret, seal_key_id, confirmed_at, last_step, wrong_in_a_row
   from operator_codes
   where seal_key_id <> $1
   order by operator_id
   limit $2`,
);

/** Those that another master key than the one named has sealed, at most `limit` of them. */
export async function readCodesSealedOtherwise(
  db: Queryable,
  sealKeyId: string,
  limit: number,
): Promise<readonly CodeRecord[]> {
  return (await query(db, SEALED_OTHERWISE, [sealKeyId, limit])).map(readCode);
}

const RESEAL = statement(
  'reseal-operator-code',
  `update operator_codes
   set sealed_secret = $2,
     seal_key_id = $3
   where operator_id = $1`,
);

/** Replaces a secret by the same one, sealed anew. */
export async function resealCode(
  db: Queryable,
  operatorId: string,
  { sealed, sealKeyId }: SealedSecret,
): Promise<void> {
  await execute(db, RESEAL, [operatorId, sealed, sealKeyId]);
}

const DELETE_SEALED_OTHERWISE = statement(
  'delete-codes-sealed-otherwise',
  `delete from operator_codes
   where seal_key_id <> all($1::text[])`,
);

/** Turns off every code that none of these seals has sealed; answers how many. */
export function deleteCodesSealedOtherwise(
  db: Queryable,
  sealKeyIds: readonly string[],
): Promise<number> {
  return execute(db, DELETE_SEALED_OTHERWISE, [sealKeyIds]);
}
