import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PUBLISHED, pageWith, saved } from './publish.ts';
import type { Results } from './samples.ts';

const PAGE = path.join(import.meta.dirname, '..', 'docs', 'performance.md');

/**
 * Writes the figures of docs/performance.md from the run in that file, which becomes the published
 * one.
 */
export function writeReport(file: string): void {
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  writeFileSync(PUBLISHED, saved(results));
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), results));
}
