import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Another live process runs the database in this directory. The message says in one line who it is
 * and what to do.
 */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
  /** the owner's process id; undefined just before it is written */
  readonly pid: number | undefined;

  constructor(home: string, owner: { pid: number | undefined; host: string | undefined }) {
    const where = owner.host && owner.host !== hostname() ? ` on ${owner.host}` : '';
    const who =
      owner.pid === process.pid && !where
        ? 'this same process'
        : `process ${owner.pid ?? '(starting)'}${where}`;
    super(
      `The database in ${home} is already running, started by ${who}. Stop that one first, or set DATA_DIR to another directory.`,
    );
    this.pid = owner.pid;
  }
}

export interface OwnerLock {
  release(): void;
}

const SQLITE_BUSY = 5;

/** Keeps a reference: the garbage collector would close the database and release the lock. */
const held = new Set<DatabaseSync>();

/**
 * Makes this process the one owner of the database in `home`, or throws DataDirInUseError.
 *
 * The lock is an empty SQLite file under an exclusive transaction, because that is the one
 * kernel-held lock (fcntl) that Node can take by itself on Linux and macOS. The kernel drops it
 * when the process dies in any way and hands it to one of two that ask at once, so there is no
 * stale lock to judge and no process number to trust. Waiting 300 ms lets one of two simultaneous
 * starts win instead of both seeing the other; it also gives the winner the time to write its
 * number.
 *
 * Nothing else in this process may ever open `owner.lock`: closing any descriptor of the file drops
 * the process's fcntl locks on it. For the same reason the owner's number is kept in a second file,
 * and the lock file is never removed.
 */
export function takeOwnerLock(home: string): OwnerLock {
  const file = path.join(home, 'owner.lock');
  createPrivate(file);
  const database = new DatabaseSync(file, { timeout: 300 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((Number((error as { errcode?: number }).errcode) & 0xff) === SQLITE_BUSY)
      throw new DataDirInUseError(home, readOwner(home));
    throw error;
  }
  held.add(database);
  rmSync(ownerFile(home), { force: true }); // a new file: were this one a link, root would write where it points
  writeFileSync(ownerFile(home), JSON.stringify({ pid: process.pid, host: hostname() }), {
    flag: 'wx',
    mode: 0o600,
  });
  return {
    release() {
      if (held.delete(database)) database.close();
    },
  };
}

/** Only its owner may read it: a reader could hold a shared lock and keep the owner out. */
function createPrivate(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const ownerFile = (home: string) => path.join(home, 'owner.json');

function readOwner(home: string): { pid: number | undefined; host: string | undefined } {
  try {
    return JSON.parse(readFileSync(ownerFile(home), 'utf8'));
  } catch {
    return { pid: undefined, host: undefined };
  }
}
