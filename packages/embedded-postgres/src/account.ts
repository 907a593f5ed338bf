import { readFileSync, type Stats } from 'node:fs';
import { access, chmod, constants, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * The operating system account that Postgres runs as when this process is root, because Postgres
 * refuses to run as root.
 */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * The account for Postgres, or undefined if this process is not root.
 *
 * `existing` is the owner of a data directory that is already there. It takes precedence, so that a
 * later `postgres` account does not lock us out of data that `nobody` wrote. Throws if an ordinary
 * user finds another user's data.
 */
export function serverAccount(existing: Account | undefined): Account | undefined {
  const me = process.getuid?.();
  if (me !== 0) {
    if (existing && existing.uid !== me)
      throw new Error(
        `The database belongs to uid ${existing.uid}, not to you (uid ${me}). Start as that user, or set DATA_DIR.`,
      );
    return undefined;
  }
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };

  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of [process.env['EMBEDDED_PG_USER'], 'postgres', '_postgres', 'nobody']) {
    const row = name ? accounts.find((fields) => fields[0] === name) : undefined;
    const account = { uid: Number(row?.[2]), gid: Number(row?.[3]) };
    // macOS gives nobody the uid -2, which neither spawn nor chown take
    if (account.uid > 0 && account.gid > 0) return account;
  }
  throw new Error(
    'Postgres may not run as root, and there is no account "postgres" or "nobody". Set EMBEDDED_PG_USER, or DATABASE_URL to a server of your own.',
  );
}

/**
 * Whether `account` has `rights` (octal rwx bits) on `target` and may enter every directory on the
 * way to it. Supplementary groups and ACLs do not count.
 */
export async function canReach(target: string, account: Account, rights = 0o1): Promise<boolean> {
  return (await barrierOnTheWay(target, account, rights)) === undefined;
}

/** The file or directory that `account` cannot access; undefined if it can access all. */
async function barrierOnTheWay(
  target: string,
  account: Account,
  rights: number,
): Promise<string | undefined> {
  let needed = rights;
  for (let at = await realpath(target); ; at = path.dirname(at)) {
    if (!grants(await stat(at), account, needed)) return at;
    if (at === path.dirname(at)) return undefined;
    needed = 0o1;
  }
}

function grants({ uid, gid, mode }: Stats, account: Account, rights: number): boolean {
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
  return ((mode >> shift) & rights) === rights;
}

/**
 * The default data folder: `.data` beside the code, or below /var/lib for root in a directory that
 * only root may enter, such as /root.
 */
export async function defaultDataDir(name: string): Promise<string> {
  const account = process.getuid?.() === 0 ? serverAccount(undefined) : undefined;
  return account && !(await canReach('.', account)) ? `/var/lib/${name}` : '.data';
}

/**
 * Makes the directory that holds everything of one database and returns its real path. Its mode is
 * set only if it is new or empty, so that DATA_DIR=/root stays as it is. It belongs to this
 * process's user; Postgres owns only the cluster inside, so that no other process of its account
 * can trick root into following a link.
 */
export async function prepareHome(dataDir: string, account: Account | undefined): Promise<string> {
  const wanted = path.resolve(dataDir);
  const mode = account ? 0o711 : 0o700;
  const firstCreated = await mkdir(wanted, { recursive: true, mode });
  const home = await realpath(wanted);
  await access(home, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    throw new Error(
      `You may not write to ${home}. Start as its owner, or set DATA_DIR to another directory.`,
    );
  });
  if (!account) return home;

  // the umask of root, and mkdtemp, leave a directory that nobody else may enter
  if (firstCreated)
    for (let at = wanted; at.length >= firstCreated.length; at = path.dirname(at))
      await chmod(at, mode);
  else if ((await readdir(home)).length === 0) await chmod(home, mode);
  const barrier = await barrierOnTheWay(home, account, 0o1);
  if (barrier) {
    throw new Error(
      `As root you run Postgres as uid ${account.uid}, which may not enter ${barrier}. Set DATA_DIR, for example to /var/lib/munshi, or run: chmod go+x ${barrier}`,
    );
  }
  return home;
}
