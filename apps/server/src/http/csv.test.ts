import { describe, expect, test } from 'vitest';
import { csvCell, pagesOf } from './csv.ts';

describe('a cell of a CSV file', () => {
  test.each([
    ['plain', 'plain'],
    ['with, comma', '"with, comma"'],
    ['with "quotes"', '"with ""quotes"""'],
    ['two\nlines', '"two\nlines"'],
    ['', ''],
    [null, ''],
    [12, '12'],
    [true, 'true'],
    ['-1500.50', '-1500.50'],
    ['+92300', "'+92300"],
  ])('%j is written as %j', (cell, written) => {
    expect(csvCell(cell)).toBe(written);
  });

  test.each(['=1+1', '+SUM(A1)', '-2+3', '@now', '\t=1', '\r=1', ' =1', '=HYPERLINK("http://x")'])(
    '%j does not begin a formula',
    (text) => {
      expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
    },
  );
});

test('pages follow one another until the rows end, or there are enough', async () => {
  const rows = Array.from({ length: 25 }, (_, at) => String(at).padStart(2, '0'));
  const read = async (after: string | null, limit: number) => {
    const from = after === null ? 0 : rows.indexOf(after) + 1;
    return rows.slice(from, from + limit);
  };
  const all = async (rowsMax: number) => {
    const pages = await Array.fromAsync(pagesOf(read, (row) => row, { rowsMax, pageRows: 10 }));
    return pages.flat();
  };
  expect(await all(100)).toEqual(rows);
  expect(await all(12)).toEqual(rows.slice(0, 12));
});
