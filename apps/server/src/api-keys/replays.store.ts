import type { Instant } from '@munshi/core';
import { time } from '../platform/database/rows.ts';
import { writes } from '../platform/database/statement.ts';

/** Forgets signed bodies whose replay window has passed; answers how many. */
export const deleteReplaysBefore = writes(
  'delete-replays',
  `delete from signature_replays
   where (digest, key_id) in (
     select digest, key_id
     from signature_replays
     where accepted_at < $1
     limit $2
   )`,
  (at: Instant, limit: number) => [time(at), limit],
);
