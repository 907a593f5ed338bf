import type { AnswerOf, Endpoint, MayWait } from '@munshi/api';
import type {
  ApiClient,
  ApiRefusal,
  AskedStream,
  AsText,
  RequestOf,
  ServerClock,
} from '@munshi/web';
import {
  type Query,
  type QueryClient,
  type QueryKey,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useRef } from 'react';

/** The one error of calls that a service has refused; `fetch` throws its own where none answers. */
export class ApiError extends Error {
  readonly refusal: ApiRefusal;
  constructor(refusal: ApiRefusal) {
    super(refusal.error);
    this.refusal = refusal;
  }
}

/** The service has said no; asked again, it says the same. */
export const isRefused = (error: Error): boolean =>
  error instanceof ApiError && error.refusal.status < 500;

/** What a screen itself has to say instead of a result: its message is for people. */
export class Said extends Error {}

/** What the components of an app ask and go by. */
export interface Service {
  readonly api: ApiClient;
  readonly clock: ServerClock;
  /** Where the app's face is, such as `/api/operator`: for what the browser itself loads. */
  readonly faceUrl: string;
  /** The stream of the face's events, perhaps asked for before. */
  events(): AskedStream;
}

const ServiceContext = createContext<Service | null>(null);

export function ServiceProvider({ service, children }: { service: Service; children: ReactNode }) {
  return <ServiceContext value={service}>{children}</ServiceContext>;
}

export function useService(): Service {
  const service = useContext(ServiceContext);
  if (service === null) throw new Error('outside of a ServiceProvider');
  return service;
}

/** What reads wait for: the stream that reports what changes after them. */
export const BeforeReads = createContext<Promise<void>>(Promise.resolve());

type Answer<E extends Endpoint> = AsText<AnswerOf<E>>;

export interface ReadOptions {
  /** Kinds of live events after which it is read again, such as `order`. */
  readonly watch?: readonly string[];
  /** What it answers changes with time alone: read again every minute in a visible window. */
  readonly changesWithTime?: boolean;
  /** False: not yet. */
  readonly enabled?: boolean;
}

const MINUTE_MS = 60_000;

/** How a query of TanStack is kept up to date. */
const upToDate = ({ watch = [], changesWithTime = false, enabled = true }: ReadOptions) => ({
  meta: { watch },
  refetchInterval: changesWithTime ? MINUTE_MS : (false as const),
  enabled,
});

export const keyOf = (endpoint: Endpoint, request: object): QueryKey => {
  const { params = {}, query = {} } = request as { params?: object; query?: object };
  return [endpoint.face, endpoint.path, params, query];
};

/** Calls an endpoint; throws ApiError where it is refused. */
export async function callOrThrow<E extends Endpoint>(
  api: ApiClient,
  endpoint: E,
  request: RequestOf<E>,
): Promise<Answer<E>> {
  const outcome = await api.call(endpoint, request);
  if (!outcome.ok) throw new ApiError(outcome.refusal);
  return outcome.answer;
}

/** Reads an endpoint and keeps it up to date. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options: ReadOptions = {},
): UseQueryResult<Answer<E>> {
  const { api } = useService();
  const before = useContext(BeforeReads);
  return useQuery({
    queryKey: keyOf(endpoint, request),
    queryFn: async ({ signal }) => {
      await before;
      return callOrThrow(api, endpoint, { ...request, signal });
    },
    ...upToDate(options),
  });
}

/** What a list answers. */
interface ListAnswer<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

/** A list read page by page, as DataTable takes it. */
export interface List<Row> {
  /** Of all pages that were read; undefined while the first is on its way. */
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly hasMore: boolean;
  readonly loadingMore: boolean;
  /** Distinguishes one list from another: filters are part of it. */
  readonly key: string;
  /** True while rows of an earlier visit are shown until those of now have come. */
  readonly isArriving: boolean;
  /** Changes when rows were read after a write of this window. */
  readonly ownWrite: number;
  more(): void;
  again(): void;
}

/** When each client's window last wrote something, as `dataUpdatedAt` has it. */
const ownWrites = new WeakMap<QueryClient, number>();

/** Reads a list with a cursor. `query` is without cursor. */
export function useList<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  options: ReadOptions = {},
): List<Answer<E> extends ListAnswer<infer Row> ? Row : never> & {
  /** What the first page answers in addition to its rows. */
  readonly first: Answer<E> | undefined;
} {
  type Row = Answer<E> extends ListAnswer<infer One> ? One : never;
  const { api } = useService();
  const before = useContext(BeforeReads);
  const writtenAt = ownWrites.get(useQueryClient()) ?? 0;
  const queryKey = [...keyOf(endpoint, request), 'pages'];
  const read = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { query = {} } = request as { query?: object };
      const asked = { ...request, query: { ...query, cursor: pageParam }, signal };
      await before;
      return (await callOrThrow(api, endpoint, asked as never)) as unknown as ListAnswer<Row>;
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    ...upToDate(options),
  });
  return {
    rows: read.data?.pages.flatMap(({ data }) => data),
    first: read.data?.pages[0] as Answer<E> | undefined,
    error: read.error,
    hasMore: read.hasNextPage,
    loadingMore: read.isFetchingNextPage,
    key: JSON.stringify(queryKey),
    isArriving: read.isFetching && !read.isFetchedAfterMount,
    ownWrite: read.dataUpdatedAt >= writtenAt ? writtenAt : 0,
    more: () => void read.fetchNextPage(),
    again: () => void read.refetch(),
  };
}

const isRead = ({ meta }: Query) => meta?.['follows'] !== true;

/** None of a write that may wait. */
type DoneAtOnce<E> = E extends { readonly decides: MayWait } ? never : E;

export interface Write<E extends Endpoint> {
  /** Answers the body of 200; throws ApiError, which `error` holds too. */
  send(request: RequestOf<E>): Promise<Answer<E>>;
  readonly sending: boolean;
  readonly error: Error | null;
  /** The last answer, until the next write. */
  readonly shown: Answer<E> | undefined;
  reset(): void;
}

/**
 * A write. Pressed again after a lost answer it sends the same Idempotency-Key, so that it acts
 * once; another content has another key. What was read is read again afterwards, also after a
 * refusal: somebody may have been faster. Queries with `meta.follows` are asked again by what they
 * follow. What may wait for a second operator is sent through the console’s `useMayWait`.
 */
export function useWrite<E extends Endpoint>(endpoint: E & DoneAtOnce<E>): Write<E> {
  const { api } = useService();
  const client = useQueryClient();
  const last = useRef<{ readonly content: string; readonly key: string } | null>(null);
  const mutation = useMutation({
    mutationFn: async (request: RequestOf<E>) => {
      const content = JSON.stringify(request);
      if (last.current?.content !== content) last.current = { content, key: crypto.randomUUID() };
      const answer = await callOrThrow(api, endpoint, {
        ...request,
        idempotencyKey: last.current.key,
      });
      last.current = null;
      return answer;
    },
    onSuccess: () => {
      ownWrites.set(client, Date.now());
      return client.invalidateQueries({ predicate: isRead });
    },
    // The refusal is shown at once, however long reading again takes.
    onError: () => void client.invalidateQueries({ predicate: isRead }),
  });
  return {
    send: mutation.mutateAsync,
    sending: mutation.isPending,
    error: mutation.error,
    shown: mutation.data,
    reset: mutation.reset,
  };
}
