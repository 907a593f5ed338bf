import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'vitest';

const run = (program: string, ...values: readonly string[]) =>
  execFileSync(program, values, { stdio: 'pipe' });

/**
 * A small disk of its own, in memory. Mounting is for root: where this machine refuses it, the test
 * ends here and is counted as not run.
 */
export async function mountSmallDisk(
  megabytes: number,
  { skip }: Pick<TestContext, 'skip'>,
): Promise<{ readonly folder: string; unmount(): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-disk-'));
  try {
    run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder);
  } catch (error) {
    await rm(folder, { recursive: true });
    const reason = String((error as { stderr?: Buffer }).stderr || (error as Error).message).trim();
    if (!/permission|superuser|not permitted|ENOENT/i.test(reason)) throw error;
    const note = `it needs a small disk of its own, which this machine refuses: ${reason}`;
    console.warn(`NOT RUN: ${note}`);
    skip(note);
  }
  return {
    folder,
    async unmount() {
      run('umount', '-l', folder);
      await rm(folder, { recursive: true });
    },
  };
}
