import { answers, t } from '../columns.ts';
import type { Queryable } from '../queryable.ts';
import { query, statement } from '../statement.ts';

/** The major versions of Postgres that the tests are run on (operate/install.md#what-it-needs). */
export const OLDEST_TESTED = 15;
export const NEWEST_TESTED = 18;

export type VersionStanding = 'too-old' | 'tested' | 'untested';

/** Of a server_version_num, as 180004. Statements use what older versions lack. */
export function standingOf(versionNumber: number): VersionStanding {
  const major = Math.floor(versionNumber / 10_000);
  if (major < OLDEST_TESTED) return 'too-old';
  return major > NEWEST_TESTED ? 'untested' : 'tested';
}

export interface ServerVersion {
  /** As 18.4. */
  readonly name: string;
  readonly standing: VersionStanding;
}

const VERSION = statement(
  'server-version',
  `select current_setting('server_version') as name,
     current_setting('server_version_num')::integer as number`,
  answers({ name: t.text, number: t.integer }),
);

export async function readServerVersion(db: Queryable): Promise<ServerVersion> {
  const [row] = await query(db, VERSION);
  const { name, number } = row as { readonly name: string; readonly number: number };
  return { name, standing: standingOf(number) };
}
