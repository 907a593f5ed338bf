import { readFileSync } from 'node:fs';
import path from 'node:path';
import { reportOf } from './report.ts';
import type { Results } from './samples.ts';

/** `npm run bench:report -- [results.json]`: prints the tables of a run as Markdown. */
const file = process.argv[2] ?? path.join(import.meta.dirname, 'results', 'latest.json');
console.log(reportOf(JSON.parse(readFileSync(file, 'utf8')) as Results));
