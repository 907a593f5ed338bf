import { FieldErrors } from '../refusals.ts';
import { isUuid } from './values.ts';

/** Lists of the operator and member faces, in pages (apis.md#lists-search-and-files). */

/** The schemas hold the most, 200. */
const PAGE_LIMIT_DEFAULT = 50;

/** `?limit=&cursor=`. */
export interface PageRequest {
  readonly limit: number;
  /** The key of the previous page's last row; null for the first page. */
  readonly after: string | null;
}

/** Throws FieldErrors for a cursor whose content is not a key of the list. */
export function pageOf(
  { limit = PAGE_LIMIT_DEFAULT, cursor }: { readonly limit?: number; readonly cursor?: string },
  isKey: (text: string) => boolean = isUuid,
): PageRequest {
  if (cursor === undefined || cursor === '') return { limit, after: null };
  const after = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!isKey(after))
    throw new FieldErrors({ cursor: ['must be the nextCursor of an earlier answer.'] });
  return { limit, after };
}

/** The rows of a page, which were read with a limit one higher, to know whether more follow. */
function cutPage<Row>(page: PageRequest, rows: readonly Row[], keyOf: (row: Row) => string) {
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const nextCursor =
    rows.length > page.limit && last !== undefined
      ? Buffer.from(keyOf(last)).toString('base64url')
      : null;
  return { shown, nextCursor };
}

/** `{data: [...], nextCursor}`. */
export function pageAnswer<Row, Shown = Row>(
  page: PageRequest,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  show: (row: Row) => Shown = (row) => row as unknown as Shown,
) {
  const { shown, nextCursor } = cutPage(page, rows, keyOf);
  return { data: shown.map(show), nextCursor };
}
