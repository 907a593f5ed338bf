import type { Query, QueryClient } from '@tanstack/react-query';
import { isRefused } from './api.tsx';

/** Queries that have changed while they were being read. */
const changed = new WeakSet<Query>();

/**
 * Reads again the queries that watch one of these kinds; without kinds, those that watch any, and
 * those that the service has not answered.
 */
export function readAgain(client: QueryClient, kinds?: ReadonlySet<string>): void {
  const predicate = ({ meta, state: { error } }: Query) => {
    const watch = (meta?.['watch'] ?? []) as readonly string[];
    if (kinds !== undefined) return watch.some((kind) => kinds.has(kind));
    return watch.length > 0 || (error !== null && !isRefused(error));
  };
  for (const query of client.getQueryCache().findAll({ predicate })) readOneAgain(client, query);
}

/**
 * After a reading that is in progress: each new one would end it, and where events come faster than
 * the pages of a list, none would ever be read.
 */
function readOneAgain(client: QueryClient, query: Query): void {
  if (query.state.fetchStatus !== 'fetching') {
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    return;
  }
  if (changed.has(query)) return;
  changed.add(query);
  const read = query.promise ?? Promise.resolve();
  void read
    .catch(() => {})
    .then(() => {
      changed.delete(query);
      readOneAgain(client, query);
    });
}
