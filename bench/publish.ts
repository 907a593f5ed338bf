import path from 'node:path';
import { reportOf } from './report.ts';
import type { Results } from './samples.ts';

/** The run that docs/performance.md shows. */
export const PUBLISHED = path.join(import.meta.dirname, 'results', 'published.json');

const BEGIN = '<!-- npm run bench -- --report writes this part -->';
const END = '<!-- the end of that part -->';

/** Workloads whose tables the page has. The goals are of all of them. */
const SHOWN = ['creation', 'settlement', 'reads', 'webhooks', 'start-up', 'sizes'];

/** The page with the figures of this run in the place of those that it has. */
export function pageWith(page: string, results: Results): string {
  const [before, rest = ''] = page.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`The page has no part between ${BEGIN} and ${END}.`);
  return [before, BEGIN, '\n\n', wrapped(reportOf(results, SHOWN)), '\n', END, after].join('');
}

/** Paragraphs in lines of at most 100 columns; tables as they are. */
const wrapped = (text: string) => text.replaceAll(/^[^|\n]{100,}$/gm, wrappedLine);
const wrappedLine = (line: string) => line.replaceAll(/(.{1,100})(?: |$)/g, '$1\n').trimEnd();

/** As it is kept: a sample or check a line. */
export function saved({ samples, checks, ...run }: Results): string {
  const lines = (list: readonly object[]) =>
    `[\n${list.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
  const head = JSON.stringify(run, null, 1).replace(/\n\}$/, '');
  return `${head},\n "samples": ${lines(samples)},\n "checks": ${lines(checks)}\n}\n`;
}
