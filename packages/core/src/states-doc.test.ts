import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MOVES } from './lifecycle.ts';
import { STATUSES } from './order.ts';

const page = readFileSync(new URL('../../../docs/states.md', import.meta.url), 'utf8');

/** The text of the section under this heading. */
function section(heading: string): string {
  const [, rest = ''] = page.split(`\n${heading}\n`);
  return rest.split(/\n#{1,3} /)[0] ?? '';
}

const ARROW = /^ {2}(\S+) --> (\S+) : (.+)$/;

function arrowsOf(heading: string): readonly string[] {
  const diagram = /```mermaid\nstateDiagram-v2\n([^`]*)\n```/.exec(section(heading))?.[1] ?? '';
  return diagram.split('\n').map((line) => {
    const [, from, to, trigger] = ARROW.exec(line) ?? [];
    if (trigger === undefined) throw new Error(`no arrow: ${line}`);
    return `${from} --> ${to} : ${trigger}`;
  });
}

describe('docs/states.md', () => {
  test.each([
    ['## Deposits', 'Deposit'],
    ['## Withdrawals', 'Withdrawal'],
  ] as const)('%s draws every move of the table once and no other', (heading, orderType) => {
    const moves = MOVES.filter((move) => move.orderType === orderType);
    const expected = moves.map(
      ({ from, trigger, to }) => `${from ?? '[*]'} --> ${to} : ${trigger.replaceAll('-', ' ')}`,
    );
    expect(arrowsOf(heading).toSorted()).toEqual(expected.toSorted());
  });

  test.each(STATUSES.filter((status) => status !== 'Confirmed'))(
    'says of %s where it leads',
    (status) => {
      const text = section(`### ${status}`);
      const exits = new Set(MOVES.filter(({ from }) => from === status).map(({ to }) => to));
      expect([...exits].filter((to) => !text.includes(`\`${to}\``))).toEqual([]);
      expect(
        STATUSES.filter(
          (other) => other !== status && text.includes(`\`${other}\``) && !exits.has(other),
        ),
      ).toEqual([]);
    },
  );
});
