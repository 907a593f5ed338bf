import type { Query, QueryClient } from '@tanstack/react-query';
import { isRefused } from './api.tsx';

interface Reader {
  /**
   * Reads again the queries that watch one of these kinds; without kinds, those that watch any, and
   * those that the service has not answered.
   */
  readAgain(kinds?: ReadonlySet<string>): void;
  stop(): void;
}

/**
 * Reads again what has changed, and what is being read, after that: each new reading would end the
 * one before, and where events come faster than the pages of a list, none would ever be read.
 */
export function createReader(client: QueryClient): Reader {
  const cache = client.getQueryCache();
  const changedMeanwhile = new WeakSet<Query>();
  const isBeingRead = ({ state }: Query) => state.fetchStatus === 'fetching';
  const read = ({ queryKey }: Query) => void client.invalidateQueries({ queryKey, exact: true });
  const stop = cache.subscribe(({ query }) => {
    if (!isBeingRead(query) && changedMeanwhile.delete(query)) read(query);
  });
  return {
    stop,
    readAgain(kinds) {
      const predicate = ({ meta, state: { error } }: Query) => {
        const watch = (meta?.['watch'] ?? []) as readonly string[];
        if (kinds !== undefined) return watch.some((kind) => kinds.has(kind));
        return watch.length > 0 || (error !== null && !isRefused(error));
      };
      for (const query of cache.findAll({ predicate }))
        if (isBeingRead(query)) changedMeanwhile.add(query);
        else read(query);
    },
  };
}
