import { FieldErrors } from '../refusals.ts';
import { isUuid } from './values.ts';

/** Lists of the operator and member faces, in pages (apis.md#lists-search-and-files). */

/** The schemas hold the most, 200. */
const PAGE_LIMIT_DEFAULT = 50;

/** `?limit=&cursor=`. */
interface PageRequest<Key> {
  readonly place: {
    /** The key of the previous page's last row; null for the first page. */
    readonly after: Key | null;
    /** How many rows to read: one more than are shown, to know whether more follow. */
    readonly limit: number;
  };
}

interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

const readUuid = (text: string) => (isUuid(text) ? text : undefined);

/**
 * `readKey` reads what `keyOf` of the list has written into a cursor; undefined for what it has not.
 * Throws FieldErrors then.
 */
export function pageOf(query: PageQuery): PageRequest<string>;
export function pageOf<Key>(
  query: PageQuery,
  readKey: (text: string) => Key | undefined,
): PageRequest<Key>;
export function pageOf(
  { limit = PAGE_LIMIT_DEFAULT, cursor }: PageQuery,
  readKey: (text: string) => unknown = readUuid,
): PageRequest<unknown> {
  const read = { limit: limit + 1 };
  if (cursor === undefined || cursor === '') return { place: { after: null, ...read } };
  const after = readKey(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (after === undefined)
    throw new FieldErrors({ cursor: ['must be the nextCursor of an earlier answer.'] });
  return { place: { after, ...read } };
}

/** `{data: [...], nextCursor}`. */
export function pageAnswer<Row, Shown = Row>(
  { place }: PageRequest<unknown>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  show: (row: Row) => Shown = (row) => row as unknown as Shown,
) {
  const shown = rows.slice(0, place.limit - 1);
  const last = shown.at(-1);
  const nextCursor =
    rows.length > shown.length && last !== undefined
      ? Buffer.from(keyOf(last)).toString('base64url')
      : null;
  return { data: shown.map(show), nextCursor };
}
