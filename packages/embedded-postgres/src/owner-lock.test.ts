import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { DataDirInUseError, takeOwnerLock } from './owner-lock.ts';
import { killHelpers, runScript, temporaryDirectories } from './test-support.ts';

const directories = temporaryDirectories();
afterEach(async () => {
  killHelpers();
  await directories.clean();
});

const holder = (home: string) =>
  runScript(`
    import { takeOwnerLock } from './owner-lock.ts';
    try {
      takeOwnerLock(${JSON.stringify(home)});
      console.log(process.pid);
    } catch (error) {
      console.log(JSON.stringify(error.name));
    }
    setInterval(() => {}, 1000);
  `);

test('one process at a time holds the lock, and kill -9 frees it', async () => {
  const home = await directories.make();
  const other = holder(home);
  const pid = await other.next<number>();
  expect(() => takeOwnerLock(home)).toThrow(DataDirInUseError);
  expect(() => takeOwnerLock(home)).toThrow(`process ${pid}`);
  await other.kill();
  takeOwnerLock(home).release();
});

test('a refused attempt in the same process does not lose the lock to another process', async () => {
  const home = await directories.make();
  const lock = takeOwnerLock(home);
  expect(() => takeOwnerLock(home)).toThrow('this same process');
  expect(await holder(home).next()).toBe('DataDirInUseError');
  lock.release();
  expect(await holder(home).next()).toBeGreaterThan(0);
});

test('nobody else may read the lock file, as a reader could keep the owner out', async () => {
  const home = await directories.make();
  takeOwnerLock(home).release();
  expect((await stat(path.join(home, 'owner.lock'))).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(['owner.json', 'owner.lock']);
});
