import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { amountCell, csvCell, factorCell, pagesOf, sendCsv, valueCell } from './csv.ts';

describe('a cell of a CSV file', () => {
  test.each([
    ['plain', '"plain"', '"plain"'],
    ['with, comma', '"with, comma"', '"with, comma"'],
    ['with "quotes"', '"with ""quotes"""', '"with ""quotes"""'],
    ['two\nlines', '"two\nlines"', '"two\nlines"'],
    ['', '""', '""'],
    [null, '""', '""'],
    [12, '"12"', '"12"'],
    [true, '"true"', '"true"'],
    [amountCell(-15_005_000n), '"-1500.5"', '"-1500.5"'],
    [amountCell(undefined), '""', '""'],
    [factorCell(360_012_345n), '"3.60012345"', '"3.60012345"'],
    [valueCell('2026-11-26T12:03:00.000+05:00'), '"2026-11-26T12:03:00.000+05:00"', undefined],
    ['a\u202eb', '"ab"', '"ab"'],
    ['019cebab-8995-7a3e-9c41-5d0f6b2a8e17', '"019cebab-8995-7a3e-9c41-5d0f6b2a8e17"', undefined],
    ['Ali; Sana', '"Ali; Sana"', '"Ali; Sana"'],
    ['=1+1', `"'=1+1"`, '"=1+1"'],
    ['a;=B', `"a;'=B"`, '"a;=B"'],
    ['a 1;=1', `"=""a 1;'=1"""`, '"a 1;=1"'],
  ])('%j is written as %s, plain as %s', (cell, written, plain = written) => {
    expect(csvCell(cell)).toBe(written);
    expect(csvCell(cell, 'plain')).toBe(plain);
  });

  test.each([
    ...['03001234567', '00', '12345678901234567', '1E157', '1e5', '.5', '5.', '1,500', '5%'],
    ...['12:30', '2-3', '1/2', '1.2.3', '31.12.2026', '5am', 'MAY1', 'Mar-5', '26 نومبر 2026'],
    ...['+92300', '+92 (300) 123-4567', '-1500.50', '-', '+', '(5)', '$5', '½', '۰۳۰۰', '０３００'],
    ...['TRUE', 'false', '#N/A', "'abc", 'INV-2026-17'],
  ])('%s keeps its characters in spreadsheets', (text) => {
    expect(csvCell(text)).toBe(`"=""${text}"""`);
    expect(csvCell(text, 'plain')).toBe(`"${text}"`);
  });

  test.each(['ORD-20260314092653-7K2M9Q', '01a224f4-a080-73d9-a699-788eb4a7e3d1', 'Ayesha'])(
    '%s, which no spreadsheet changes, is written as it is',
    (text) => {
      expect(csvCell(text)).toBe(`"${text}"`);
    },
  );

  test('a text that is too long for a formula is written as it is', () => {
    expect(csvCell(`1 ${'x'.repeat(253)}`)).toMatch(/^"=""1 x/);
    expect(csvCell(`1 ${'x'.repeat(254)}`)).toMatch(/^"1 x/);
  });

  test.each([
    '=1+1',
    '+SUM(A1)',
    '-2+A3',
    '@now',
    '\t=1',
    '\r=1',
    ' =1',
    ' +1',
    '＝1',
    '+1|calc',
    '-1\n=1',
    '=HYPERLINK("http://x")',
  ])('%j does not begin a formula', (text) => {
    expect(csvCell(text)).toMatch(/^"'/);
  });

  test.each(['5"', 'INV "7"', '1"&cmd|x!A0&"', '0"")', '{"a":1}'])(
    '%s is in no formula, whose text a quote would end',
    (text) => {
      expect(csvCell(text)).toBe(csvCell(text, 'plain'));
    },
  );

  test.each([
    'a;=1+1',
    'a; =1+1',
    'a;"=1+1',
    'a\t@now',
    'a\n-2+3',
    'a;b;+1',
    'a;＝1',
    '1;=1',
    '0;"=1',
  ])('%j begins no formula where lines are split at semicolons, tabs or line breaks', (text) => {
    const [, ...parts] = csvCell(text).split(/[;\t\r\n]/);
    for (const part of parts) expect(part).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
  });
});

test('pages follow one another until the rows end', async () => {
  const rows = Array.from({ length: 25 }, (_, at) => String(at).padStart(2, '0'));
  const read = async (after: string | null, limit: number) => {
    const from = after === null ? 0 : rows.indexOf(after) + 1;
    return rows.slice(from, from + limit);
  };
  const pages = await Array.fromAsync(pagesOf(read, (row) => row, 10));
  expect(pages).toEqual([rows.slice(0, 10), rows.slice(10, 20), rows.slice(20)]);
});

describe('a file', () => {
  const PAGES = 400;
  const PAGE = ['x'.repeat(256 * 1024)] as const;
  /** What the system holds of a connection to itself is some ten megabytes. */
  const ON_THE_WAY_MAX = 32 * 1024 * 1024;

  async function serve({ failsAt = PAGES, ...options }: { failsAt?: number; stalledMs?: number }) {
    const read = { pages: 0 };
    const ended = Promise.withResolvers<void>();
    async function* pages() {
      try {
        for (; read.pages < PAGES; read.pages += 1) {
          if (read.pages === failsAt) throw new Error('the database is gone');
          yield PAGE;
        }
      } finally {
        ended.resolve();
      }
    }
    const app = Fastify();
    onTestFinished(() => app.close());
    const columns = { column: (row: string) => row };
    app.get('/', (_, reply) =>
      sendCsv(reply, { name: 'file', columns, pages: pages(), ...options }),
    );
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return { url, read, ended: ended.promise };
  }
  const open = async (url: string) => {
    const [response] = await once(get(url, { agent: false }), 'response');
    onTestFinished(() => response.destroy());
    return response as IncomingMessage;
  };

  test('is read no faster than its reader takes it', async () => {
    const { url, read } = await serve({});
    let taken = 0;
    let onTheWay = 0;
    for await (const chunk of await open(url)) {
      taken += chunk.length;
      onTheWay = Math.max(onTheWay, read.pages * PAGE[0].length - taken);
    }
    expect(read.pages).toBe(PAGES);
    expect(onTheWay).toBeLessThan(ON_THE_WAY_MAX);
  });

  test('is read no further once its reader is gone, or takes nothing for long', async () => {
    const gone = await serve({});
    (await open(gone.url)).destroy();
    await gone.ended;
    const stalled = await serve({ stalledMs: 50 });
    await open(stalled.url);
    await stalled.ended;
    for (const { read } of [gone, stalled])
      expect(read.pages * PAGE[0].length).toBeLessThan(ON_THE_WAY_MAX);
  });

  test('that fails on the way ends as no whole answer does, and at once is an error', async () => {
    const cutOff = await fetch((await serve({ failsAt: 3 })).url);
    expect(cutOff.status).toBe(200);
    await expect(cutOff.text()).rejects.toThrow('terminated');
    expect((await fetch((await serve({ failsAt: 0 })).url)).status).toBe(500);
  });
});
