import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** CSV of lists (RFC 4180), for spreadsheets. */

export type Cell = string | number | boolean | null;

/**
 * Spreadsheets take what begins so for a formula, which could read other cells or call out: an
 * apostrophe makes it text. Plain numbers stay numbers, with their sign.
 */
const FORMULA = /^[\s]*[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/** One cell as it stands in the file. */
export function csvCell(cell: Cell): string {
  if (cell === null) return '';
  const text = String(cell);
  const plain = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return QUOTED.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const line = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`;
/** By this Excel takes the file for UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

interface Csv<Row> {
  /** Of the file, without its ending. */
  readonly name: string;
  /** By their heading: what stands in them. */
  readonly columns: CsvColumns<Row>;
  /** Pages of rows, read while they are sent. */
  readonly pages: AsyncIterable<readonly Row[]>;
}

export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** Sends a list as a file, one page in memory at a time. */
export function sendCsv<Row>(reply: FastifyReply, { name, columns, pages }: Csv<Row>) {
  const cells = Object.values(columns);
  async function* text() {
    yield BYTE_ORDER_MARK + line(Object.keys(columns));
    for await (const rows of pages)
      yield rows.map((row) => line(cells.map((cell) => cell(row)))).join('');
  }
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(Readable.from(text()));
}

/**
 * The pages of a list one after the other, at most `rowsMax` rows in all: `read` answers those
 * behind a key.
 */
export async function* pagesOf<Row>(
  read: (after: string | null, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
  { rowsMax, pageRows = 500 }: { readonly rowsMax: number; readonly pageRows?: number },
): AsyncGenerator<readonly Row[]> {
  let after: string | null = null;
  for (let left = rowsMax; left > 0; left -= pageRows) {
    const rows: readonly Row[] = await read(after, Math.min(pageRows, left));
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = keyOf(last);
  }
}
