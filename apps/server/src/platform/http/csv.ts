import { Readable } from 'node:stream';
import type { FileForm } from '@munshi/api';
import { type Factor, formatFactor, formatMoney, type Money, withoutUnseen } from '@munshi/core';
import type { FastifyReply } from 'fastify';

/**
 * CSV of lists (RFC 4180): for spreadsheets, which keep every character of a text, or plain, for
 * programs (apis.md#csv-files).
 */

/** A number, day or time: a spreadsheet may read it as one. */
interface Value {
  readonly value: string;
}
/** A text keeps its characters. */
export type Cell = string | Value | number | boolean | null;

export const valueCell = (text: string | null): Cell => (text === null ? null : { value: text });
export const amountCell = (amount: Money | null | undefined): Cell =>
  valueCell(amount == null ? null : formatMoney(amount));
export const factorCell = (factor: Factor | null): Cell =>
  valueCell(factor === null ? null : formatFactor(factor));

/**
 * Spreadsheets take what begins so for a formula, which could read other cells or call out: an
 * apostrophe makes it text. Some read full-width signs as the plain ones.
 */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;
/** A sign before digits and what groups them, as of a phone number, calls nothing. */
const SIGNED_DIGITS = /^[+\-＋－][\p{N} ().,/:-]*$/u;
/**
 * Where the decimal sign is a comma, spreadsheets split lines at semicolons, others at tabs, and pay
 * no regard to quotes in the middle: what follows one must not begin a formula either.
 */
const FORMULA_INSIDE = /([;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g;

/**
 * What spreadsheets may read as a number, a date, a time, true or false, an error, or a text behind
 * an apostrophe. Months have names in any language: any text with a digit may be a date.
 */
const READ_OTHERWISE = /\p{N}|^['#]|^[+\-＋－]|^(true|false)$/iu;
/** Ids and references of ours, which none reads otherwise. */
const OURS = /^(?:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|ORD-\d{14}-[0-9A-Z]{6})$/;
/** Excel takes no longer text in a formula, nor anything as long for a number or date. */
const KEPT_LENGTH_MAX = 255;
const isReadOtherwise = (text: string) =>
  READ_OTHERWISE.test(text) &&
  text.length <= KEPT_LENGTH_MAX &&
  !/["\r\n]/.test(text) && // neither is read otherwise; Gnumeric reads no quoted quote
  !OURS.test(text);

/** A text as a cell that Excel, LibreOffice and Gnumeric show as it is. */
function keptText(text: string): string {
  const isHostile = FORMULA.test(text) && !SIGNED_DIGITS.test(text);
  const inert = text.replaceAll(FORMULA_INSIDE, "$1'");
  if (isHostile) return `'${inert}`;
  return isReadOtherwise(text) ? `="${inert}"` : inert;
}

/** One cell as written to the file: without invisible characters, and always quoted. */
export function csvCell(cell: Cell, form: FileForm = 'spreadsheet'): string {
  const isText = typeof cell === 'string';
  const text = withoutUnseen(typeof cell === 'object' ? (cell?.value ?? '') : String(cell));
  const written = isText && form === 'spreadsheet' ? keptText(text) : text;
  return `"${written.replaceAll('"', '""')}"`;
}

/** By this Excel takes the file for UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A reader who has taken nothing for so long, a download on hold, is not waited for. */
const STALLED_MS = 300_000;

/** A list as a file. */
export interface Csv<Row> {
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
  form: FileForm = 'spreadsheet',
): Promise<FastifyReply> {
  const line = (row: readonly Cell[]) => `${row.map((cell) => csvCell(cell, form)).join(',')}\r\n`;
  const reading = pages[Symbol.asyncIterator]();
  const first = await reading.next();
  const cells = Object.values(columns);
  async function* text() {
    const mark = form === 'spreadsheet' ? BYTE_ORDER_MARK : '';
    yield mark + line(Object.keys(columns));
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
