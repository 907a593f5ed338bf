import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Decider } from './decider.ts';
import * as api from './index.ts';

const ENDPOINTS = api.endpointsOf(api).map(([, endpoint]) => endpoint);

const HEADING = '## Who may do what, and who decides';
const INTRO = `
Every endpoint declares this in \`packages/api\`, and the server admits, asks a second operator and
previews by it; the tests hold the audit log to it. "Two" and "by amount" bind [while a second
operator is required](#two-operators). "Takes away": it ends power or access, and waits for nobody.
`;

function decidedBy(decides: Decider): string {
  switch (decides.by) {
    case 'one':
      return `One. ${decides.because}`;
    case 'two':
      return 'Two.';
    case 'amount':
      return 'By amount.';
    case 'takes-away':
      return 'One: takes away.';
    case 'change':
      return `Two: ${decides.waits} Else one.`;
    case 'nobody':
      return 'Nobody: it only asks.';
  }
}

const TITLES = {
  operator: 'Operators',
  portal: 'Merchants’ people',
  member: 'Members',
  page: 'Customers',
} as const;

function tableOf(face: api.FaceName): string {
  const writes = ENDPOINTS.filter((one) => one.face === face && one.decides !== undefined);
  const sorted = writes.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
  return `### ${TITLES[face]}
${readsOf(face)}
| Write | For | Who decides | Audit log |
|---|---|---|---|
${sorted.map(rowOf).join('\n')}
`;
}

const pathOf = ({ method, path: at }: api.Endpoint) => `${at} ${method}`;

function rowOf({ method, path: at, role, preview, decides, audit = [] }: api.Endpoint): string {
  const actions = audit.map((action) => `\`${action}\``).join(', ');
  const asked = `${role}${preview ? ', with a preview' : ''}`;
  return `| \`${method} ${at}\` | ${asked} | ${decidedBy(decides as Decider)} | ${actions} |`;
}

/** Reads that need more than the others of the face. */
function readsOf(face: api.FaceName): string {
  if (face !== 'operator' && face !== 'portal') return '';
  const reads = ENDPOINTS.filter((one) => one.face === face && one.method === 'GET');
  const others = reads
    .filter(({ role }) => role !== 'viewer')
    .map(({ path, role }) => `- \`GET ${path}\`: ${role}`);
  if (others.length === 0) return '\nReads are for viewers.\n';
  return `\nReads are for viewers, but for these:\n\n${others.sort().join('\n')}\n`;
}

const PAGE = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'security.md');

test('docs/security.md says who may do what and who decides (vitest -u writes it)', async () => {
  const tables = (['operator', 'portal', 'member', 'page'] as const).map(tableOf);
  const section = [HEADING, INTRO, tables.join('\n')].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  const begin = page.indexOf(`${HEADING}\n`);
  const end = page.indexOf('\n## ', begin + 1);
  expect(begin).toBeGreaterThan(0);
  await expect(page.slice(0, begin) + section + page.slice(end)).toMatchFileSnapshot(PAGE);
});
