import type { EffectView, Endpoint } from '@munshi/api';
import type { ApiClient, AsText, RequestOf } from '@munshi/web';
import { callOrThrow, useService } from '@munshi/web-ui';
import {
  keepPreviousData,
  queryOptions,
  type UseQueryResult,
  useQueries,
  useQuery,
} from '@tanstack/react-query';

/** What a write would do, amounts as text. */
export type ShownEffect = AsText<EffectView>;

/**
 * Asks what a write would do; null: not yet, or no more. A refusal is the one that the write would
 * get. While another request is on its way the effect before it is kept.
 *
 * `readAt` is when the thing was read that the write is about: its preview is asked for after each
 * reading, and not at the event that causes the reading. So another operator's change is known
 * before, and nothing is asked that could only be refused. Without `readAt` it is asked again after
 * every event of an order.
 */
export function usePreview<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E> | null,
  readAt?: number,
): UseQueryResult<ShownEffect> {
  const { api } = useService();
  return useQuery(previewOf(api, endpoint, request, readAt));
}

/** The same of several requests, each asked once. */
export function usePreviews<E extends Endpoint>(
  endpoint: E,
  requests: readonly RequestOf<E>[],
): readonly UseQueryResult<ShownEffect>[] {
  const { api } = useService();
  const queries = requests.map((request) => previewOf(api, endpoint, request, 0));
  return useQueries({ queries });
}

const previewOf = <E extends Endpoint>(
  api: ApiClient,
  endpoint: E,
  request: RequestOf<E> | null,
  readAt: number | undefined,
) =>
  queryOptions({
    queryKey: ['preview', endpoint.method, endpoint.path, request, readAt],
    queryFn: async ({ signal }) => {
      const asked = { ...request, query: { preview: true }, signal } as unknown as RequestOf<E>;
      const { data } = (await callOrThrow(api, endpoint, asked)) as { data: ShownEffect };
      return data;
    },
    enabled: request !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    ...(readAt === undefined
      ? { meta: { watch: ['order'] } }
      : {
          meta: { follows: true },
          staleTime: Number.POSITIVE_INFINITY,
          refetchOnReconnect: false,
        }),
  });
