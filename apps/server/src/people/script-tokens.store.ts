import { columns, from, only, orNull, parameters, t } from '../platform/database/columns.ts';
import { lists, PAGE, readsAll } from '../platform/database/statement.ts';

/** Script tokens of operators are rows of `sessions` with a name. */

/** How long a script token works that nobody gives another end. */
export const TOKEN_DAYS = 90;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** A script token that is in force. */
const TOKEN = columns('', {
  tokenId: from('session_id', t.uuid),
  name: from(`coalesce(name, '')`, t.text),
  createdAt: t.instant,
  expiresAt: t.instant,
  /** To some minutes; null: never. */
  lastUsedAt: orNull(t.instant),
});

/** The script tokens of an operator that have not ended by `now`, the newest first. */
export const listTokens = lists(
  'list-tokens',
  `select ${TOKEN.list}
   from sessions
   where principal_id = $1
     and kind = 'operator-token'
     and expires_at > $2
     and ($3::uuid is null or session_id < $3)
   order by session_id desc
   limit $4`,
  TOKEN,
  parameters({ operatorId: t.uuid, now: t.instant, ...PAGE }),
);

/** Ends one script token of an operator that is in force, or all; answers their names. */
export const deleteTokens = readsAll(
  'delete-tokens',
  `delete from sessions
   where principal_id = $1
     and kind = 'operator-token'
     and ($2::uuid is null or session_id = $2)
     and expires_at > $3
   returning coalesce(name, '') as name`,
  only('name', t.text),
  parameters({ operatorId: t.uuid, tokenId: orNull(t.uuid), now: t.instant }),
);
