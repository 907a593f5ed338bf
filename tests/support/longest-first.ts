import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files take longest: they kill processes, wait out outages, draw pages. */
const LONG = [
  'tests/clone',
  'tests/faults',
  'tests/bench',
  'packages/embedded-postgres',
  'tests/simulation',
  'tests/browser',
  'tests/e2e/service',
];

/**
 * Begins with the longest files, so that none of them runs alone in the end. Vitest knows how long
 * a file takes where it has run before; in a fresh clone it would go by size.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const file = path.relative(this.ctx.config.root, moduleId);
      const at = LONG.findIndex((folder) => file.startsWith(`${folder}/`));
      return at === -1 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
