import type { DatabaseTarget } from '../../config/database-url.ts';
import { answers, t } from '../columns.ts';
import { type Database, openDatabase } from '../db.ts';
import { query, statement } from '../statement.ts';

/** Commands and migrations open the database under this name, so that their commits are found. */
export const COMMAND_SESSION = 'munshi-command';

const LOOK_MS = 2_000;

const WAITS = statement(
  'commit-waits',
  `select current_setting('synchronous_standby_names') as standbys
   from pg_stat_activity
   where application_name = $1 and wait_event = 'SyncRep'
   limit 1`,
  answers({ standbys: t.text }),
);

/**
 * Does `work`, and says so where a commit of it waits for a standby, of which the command learns
 * nothing (operate/database.md). `target`: a role that sees the sessions of the work.
 */
export async function reportingWaits<T>(
  target: DatabaseTarget,
  say: (text: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const watch = watchCommits(target, (standbys) =>
    say(
      `Waiting for a standby: the change is committed on the primary, and "${standbys}" (synchronous_standby_names) has not confirmed it. It stays unless the primary is lost before that. This goes on when the standby is back; to end it now takes nothing back, so look before you run it again.`,
    ),
  );
  try {
    return await work();
  } finally {
    await watch.stop();
  }
}

/** A wait counts if two checks in a row see it, and is reported once. */
function watchCommits(target: DatabaseTarget, onWait: (standbys: string) => void) {
  let database: Database | undefined;
  let sightings = 0;
  let looking: Promise<void> | undefined;
  async function look() {
    database ??= openDatabase(target, { poolSize: 1, timeoutMs: LOOK_MS });
    // A database that is away is what the work itself says.
    const [wait] = await query(database.pool, WAITS, [COMMAND_SESSION]).catch(() => []);
    sightings = wait === undefined ? 0 : sightings + 1;
    if (wait !== undefined && sightings === 2) onWait(wait.standbys);
  }
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, LOOK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
      await database?.close();
    },
  };
}
