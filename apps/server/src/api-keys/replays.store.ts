import type { Instant } from '@munshi/core';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { execute, statement } from '../platform/database/statement.ts';

const DELETE = statement(
  'delete-replays',
  `delete from signature_replays
   where (digest, key_id) in (
     select digest, key_id
     from signature_replays
     where accepted_at < $1
     limit $2
   )`,
);

/** Forgets signed bodies whose replay window has passed; answers how many. */
export function deleteReplaysBefore(db: Queryable, at: Instant, limit: number): Promise<number> {
  return execute(db, DELETE, [time(at), limit]);
}
