import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  OPERATOR_CAPABILITIES,
  OPERATORS_MAY,
  PORTAL_CAPABILITIES,
  PORTAL_USERS_MAY,
} from '@munshi/core';
import { expect, test } from 'vitest';
import * as api from '../index.ts';
import type { Decider } from './decider.ts';

const ENDPOINTS = api.endpointsOf(api).map(([, endpoint]) => endpoint);

const HEADING = '## Who may do what, and who decides';
const INTRO = `
Roles allow capabilities, which stand in \`packages/core/src/capability.ts\`; screens and answers
follow them. Everyone signed in reads theirs in \`GET /session\`.

${capabilityTable()}

Every endpoint declares this in \`packages/api\`, and the server admits, asks a second operator and
previews by it; the tests hold the audit log to it. "Two" and "by amount" bind [while a second
operator is required](#two-operators). "Takes away": it ends power or access, and waits for nobody.
A write without an entry in the first column is decided as the one above it.
`;

function capabilityTable(): string {
  const rowsOf = <Name extends string>(
    face: string,
    all: Readonly<Record<Name, string>>,
    rolesWith: (needed: Name) => readonly string[],
  ) =>
    (Object.entries(all) as [Name, string][]).map(
      ([name, about]) => `| ${face} | \`${name}\` | ${rolesWith(name).join(', ')} | ${about} |`,
    );
  return [
    '| Of | Capability | Roles | What it is about |',
    '|---|---|---|---|',
    ...rowsOf('operators', OPERATOR_CAPABILITIES, OPERATORS_MAY.rolesWith),
    ...rowsOf('merchants’ people', PORTAL_CAPABILITIES, PORTAL_USERS_MAY.rolesWith),
  ].join('\n');
}

function decidedBy(decides: Decider): { place: number; says: string } {
  switch (decides.by) {
    case 'two':
      return { place: 0, says: 'Two.' };
    case 'amount':
      return { place: 1, says: 'By amount.' };
    case 'change':
      return { place: 2, says: `Two: ${decides.waits} Else one.` };
    case 'one':
      return { place: 3, says: `One. ${decides.because}` };
    case 'takes-away':
      return { place: 4, says: 'One: takes away.' };
    case 'nobody':
      return { place: 5, says: 'Nobody: it only asks.' };
  }
}

const TITLES = {
  operator: 'Operators',
  portal: 'Merchants’ people',
  member: 'Members',
  page: 'Customers',
} as const;

function tableOf(face: api.FaceName): string {
  const writes = ENDPOINTS.flatMap((one) =>
    one.face === face && one.decides !== undefined ? [{ ...one, ...decidedBy(one.decides) }] : [],
  ).sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const rows = writes.map((write, at) => {
    const { method, path, needs, preview, says, audit = [] } = write;
    const asked = `${needs}${preview ? ', with a preview' : ''}`;
    const actions = audit.map((action) => `\`${action}\``).join(', ');
    const decides = says === writes[at - 1]?.says ? '' : says;
    return `| ${decides} | \`${method} ${path}\` | ${asked} | ${actions} |`;
  });
  return `### ${TITLES[face]}
${readsOf(face)}
| Who decides | Write | Needs | Audit log |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** Writes that are decided alike stand together. */
const sortKey = (write: { place: number; says: string; path: string; method: string }) =>
  `${write.place} ${write.says} ${write.path} ${write.method}`;

/** Reads that need more than the others of the face. */
function readsOf(face: api.FaceName): string {
  if (face !== 'operator' && face !== 'portal') return '';
  const reads = ENDPOINTS.filter((one) => one.face === face && one.method === 'GET');
  const others = reads
    .filter(({ needs }) => needs !== 'read')
    .map(({ path, needs }) => `- \`GET ${path}\`: ${needs}`);
  if (others.length === 0) return '\nReads need `read`.\n';
  return `\nReads need \`read\`, but for these:\n\n${others.sort().join('\n')}\n`;
}

const PAGE = path.join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'security.md');

test('docs/security.md says who may do what and who decides (vitest -u writes it)', async () => {
  const tables = (['operator', 'portal', 'member', 'page'] as const).map(tableOf);
  const section = [HEADING, INTRO, tables.join('\n')].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  const begin = page.indexOf(`${HEADING}\n`);
  const end = page.indexOf('\n## ', begin + 1);
  expect(begin).toBeGreaterThan(0);
  await expect(page.slice(0, begin) + section + page.slice(end)).toMatchFileSnapshot(PAGE);
});
