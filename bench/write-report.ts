import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PUBLISHED, pageWith, saved } from './publish.ts';
import type { Results } from './samples.ts';

/**
 * `npm run bench:report -- [results.json]`: writes the figures of docs/performance.md from this run,
 * which becomes the published one. Without a file the published run is written again.
 */
const PAGE = path.join(import.meta.dirname, '..', 'docs', 'performance.md');
const results = JSON.parse(readFileSync(process.argv[2] ?? PUBLISHED, 'utf8')) as Results;
writeFileSync(PUBLISHED, saved(results));
writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), results));
