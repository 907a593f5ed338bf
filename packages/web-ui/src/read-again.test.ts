import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { createReader } from './read-again.ts';

test('events that come faster than the pages of a list end no reading, and are followed by one', async () => {
  const asked: { readonly page: number; readonly signal: AbortSignal; answer(): void }[] = [];
  const client = new QueryClient();
  const reader = createReader(client);
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['orders'],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      new Promise<number>((resolve) =>
        asked.push({ page: pageParam, signal, answer: () => resolve(pageParam) }),
      ),
    getNextPageParam: (last) => (last < 2 ? last + 1 : undefined),
    meta: { watch: ['order'] },
  });
  const stop = observer.subscribe(() => {});
  const answerNext = async (count: number) => {
    await expect.poll(() => asked.length).toBe(count);
    asked.at(-1)?.answer();
  };
  await answerNext(1);
  await expect.poll(() => observer.getCurrentResult().hasNextPage).toBe(true);
  void observer.fetchNextPage();
  reader.readAgain(new Set(['order']));
  await answerNext(2);
  for (const count of [3, 4]) {
    await answerNext(count);
    reader.readAgain(new Set(['order']));
    reader.readAgain(new Set(['claim']));
  }
  await answerNext(5);
  await answerNext(6);
  await expect.poll(() => client.isFetching()).toBe(0);
  expect(asked.map(({ page }) => page)).toEqual([1, 2, 1, 2, 1, 2]);
  expect(asked.some(({ signal }) => signal.aborted)).toBe(false);
  // Signing out while something is read leaves nothing that goes on.
  reader.readAgain(new Set(['order']));
  await expect.poll(() => asked.length).toBe(7);
  reader.readAgain(new Set(['order']));
  client.clear();
  await expect.poll(() => asked.at(-1)?.signal.aborted).toBe(true);
  expect(asked).toHaveLength(7);
  stop();
  reader.stop();
});
