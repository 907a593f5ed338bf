import { Readable } from 'node:stream';
import { withoutUnseen } from '@munshi/core';
import type { FastifyReply } from 'fastify';

/** CSV of lists (RFC 4180), for spreadsheets. */

export type Cell = string | number | boolean | null;

/**
 * Spreadsheets take what begins so for a formula, which could read other cells or call out: an
 * apostrophe makes it text. Some read full-width signs as the plain ones. Plain numbers stay
 * numbers, with their sign.
 */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
/**
 * Where the decimal sign is a comma, spreadsheets split lines at semicolons, others at tabs, and pay
 * no regard to quotes in the middle: what follows one must not begin a formula either.
 */
const FORMULA_INSIDE = /([;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g;

/** One cell as written to the file: without invisible characters, and always quoted. */
export function csvCell(cell: Cell): string {
  if (cell === null) return '""';
  const text = withoutUnseen(String(cell));
  const plain = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll(FORMULA_INSIDE, "$1'").replaceAll('"', '""')}"`;
}

const line = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`;
/** By this Excel takes the file for UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A reader who has taken nothing for so long, a download on hold, is not waited for. */
const STALLED_MS = 300_000;

interface Csv<Row> {
  /** Of the file, without its ending. */
  readonly name: string;
  /** The cells' content, by heading. */
  readonly columns: CsvColumns<Row>;
  /** Pages of rows, read while they are sent. Nothing may be held from one page to the next. */
  readonly pages: AsyncIterable<readonly Row[]>;
  readonly stalledMs?: number;
}

export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/**
 * Sends a list as a file, one page in memory at a time: the next one is read when the reader has
 * taken the one before, and none for a reader who is gone. What fails on the first page is thrown;
 * later the connection is closed before the end of the answer, so that no part passes for a whole
 * (decision 27).
 */
export async function sendCsv<Row>(
  reply: FastifyReply,
  { name, columns, pages, stalledMs = STALLED_MS }: Csv<Row>,
): Promise<FastifyReply> {
  const reading = pages[Symbol.asyncIterator]();
  const first = await reading.next();
  const cells = Object.values(columns);
  async function* text() {
    yield BYTE_ORDER_MARK + line(Object.keys(columns));
    try {
      for (let page = first; page.done !== true; page = await reading.next())
        yield page.value.map((row) => line(cells.map((cell) => cell(row)))).join('');
    } finally {
      await reading.return?.();
    }
  }
  reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(Readable.from(text()));
}

/** The pages of a list one after the other: `read` answers those behind a key. */
export async function* pagesOf<Row>(
  read: (after: string | null, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
  pageRows = 500,
): AsyncGenerator<readonly Row[]> {
  for (let after: string | null = null; ; ) {
    const rows: readonly Row[] = await read(after, pageRows);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = keyOf(last);
  }
}
