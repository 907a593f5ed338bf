import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { plotsPage } from './plots.ts';
import type { Results } from './samples.ts';

/** `npm run bench:plots -- [results.json]`: a page of plots beside the results. */
const file = process.argv[2] ?? path.join(import.meta.dirname, 'results', 'latest.json');
const page = file.replace(/(\.json)?$/, '.html');
writeFileSync(page, plotsPage(JSON.parse(readFileSync(file, 'utf8')) as Results));
console.log(page);
