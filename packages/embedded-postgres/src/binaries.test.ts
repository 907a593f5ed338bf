import { chmod, mkdir, readlink, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { canReach } from './account.ts';
import { findPrograms } from './binaries.ts';
import { temporaryDirectories } from './test-support.ts';

const nobody = { uid: 65534, gid: 65534 };
const directories = temporaryDirectories();
afterEach(() => directories.clean());

/** A tiny package of binaries, in a directory that only its owner may enter (mkdtemp's mode). */
async function makePackage(): Promise<string> {
  const root = await directories.make();
  await mkdir(path.join(root, 'native/bin'), { recursive: true });
  await mkdir(path.join(root, 'native/lib'));
  await mkdir(path.join(root, 'native/share/postgresql'), { recursive: true });
  await writeFile(path.join(root, 'package.json'), '{"version":"1.2.3"}');
  await writeFile(path.join(root, 'native/bin/postgres'), 'program', { mode: 0o700 });
  await writeFile(path.join(root, 'native/lib/liba.so.1.2'), 'library', { mode: 0o600 });
  await writeFile(
    path.join(root, 'native/pg-symlinks.json'),
    '[{"source":"native/lib/liba.so.1.2","target":"native/lib/liba.so.1"}]',
  );
  return root;
}

test('programs that can be reached are used where they are, with their library links restored', async () => {
  const installed = await makePackage();
  const { postgres } = await findPrograms({ account: undefined, home: '/nonexistent', installed });
  expect(postgres).toBe(path.join(installed, 'native/bin/postgres'));
  expect(await readlink(path.join(installed, 'native/lib/liba.so.1'))).toBe('liba.so.1.2');
});

describe.runIf(process.getuid?.() === 0)('for root', () => {
  test("programs that Postgres' account cannot reach are copied once to where it can read and only root can write", async () => {
    const installed = await makePackage();
    const parent = await directories.make('/var/lib');
    await chmod(parent, 0o755);
    const steps: string[] = [];
    const options = {
      account: nobody,
      home: '/nonexistent',
      installed,
      rootCopies: path.join(parent, 'copies'),
      progress: (step: string) => steps.push(step),
    };
    const [first, second] = await Promise.all([findPrograms(options), findPrograms(options)]);
    expect(second).toEqual(first);
    expect(first.postgres.startsWith(path.join(parent, 'copies'))).toBe(true);
    expect(await canReach(first.postgres, nobody, 0o5)).toBe(true);
    expect((await stat(first.postgres)).mode & 0o022).toBe(0);
    expect(
      await canReach(path.join(path.dirname(first.postgres), '../lib/liba.so.1'), nobody, 0o4),
    ).toBe(true);
    steps.splice(0);
    await findPrograms(options);
    expect(steps).toEqual([]);
  });

  test('a place where others can write is refused, also when a copy is already there', async () => {
    const installed = await makePackage();
    const parent = await directories.make('/var/lib');
    await chmod(parent, 0o755);
    const options = { account: nobody, home: '/nonexistent', installed, rootCopies: parent };
    const { postgres } = await findPrograms(options);
    await chmod(path.resolve(postgres, '../../..'), 0o777);
    await expect(findPrograms(options)).rejects.toThrow('cannot be trusted');
    await expect(
      findPrograms({ ...options, rootCopies: await directories.make() }),
    ).rejects.toThrow('Others than root can write to /tmp');
  });
});
