/** Whether a request asks only for what it would do. Its schema has read the query. */
export const isPreview = (query: unknown): boolean =>
  (query as { readonly preview?: unknown } | undefined)?.preview === true;
