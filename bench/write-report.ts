import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { insertReport, reportOf } from './report.ts';
import type { Results } from './samples.ts';

/**
 * `npm run bench:report -- [results.json [page.md]]`: prints a run's tables, or puts them between
 * the marks of a page.
 */
const [file = path.join(import.meta.dirname, 'results', 'latest.json'), page] =
  process.argv.slice(2);
const report = reportOf(JSON.parse(readFileSync(file, 'utf8')) as Results);
if (page === undefined) console.log(report);
else writeFileSync(page, insertReport(readFileSync(page, 'utf8'), report));
