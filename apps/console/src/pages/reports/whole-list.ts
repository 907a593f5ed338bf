import type { List } from '@munshi/web-ui';

/** Rows of an answer that has all of them, as a list without more. */
export const wholeList = <Row>(rows: readonly Row[], key: string): List<Row> => ({
  ...{ rows, key, error: null, hasMore: false, loadingMore: false },
  ...{ isArriving: false, ownWrite: 0 },
  more() {},
  again() {},
});
