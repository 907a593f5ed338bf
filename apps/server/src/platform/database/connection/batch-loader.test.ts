import { expect, test } from 'vitest';
import { createBatchLoader } from './batch-loader.ts';

test('questions asked while others are on their way go together with the next, and each gets its own answer', async () => {
  const batches: (readonly number[])[] = [];
  const ask = createBatchLoader(
    async (questions: readonly number[]) => {
      batches.push(questions);
      if (batches.length === 1) later = Promise.all([ask(2), ask(3), ask(4)]);
      return questions.map((question) => question * 10);
    },
    { max: 2 },
  );
  let later: Promise<readonly number[]> | undefined;
  expect(await ask(1)).toBe(10);
  expect(await later).toEqual([20, 30, 40]);
  expect(batches).toEqual([[1], [2, 3], [4]]);
});

test('a rest between statements gathers what is asked meanwhile', async () => {
  const batches: (readonly number[])[] = [];
  const ask = createBatchLoader(
    async (questions: readonly number[]) => {
      batches.push(questions);
      return questions;
    },
    { max: 10, restMs: 20 },
  );
  await ask(1);
  const second = ask(2);
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([second, ask(3)]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test('what comes within a few turns of the event loop goes together; many are sent at once', async () => {
  const batches: (readonly number[])[] = [];
  const ask = createBatchLoader(
    async (questions: readonly number[]) => {
      batches.push(questions);
      return questions;
    },
    { max: 100 },
  );
  const few = [ask(1)];
  await new Promise((resolve) => setImmediate(resolve));
  few.push(ask(2));
  expect(batches).toEqual([]);
  await Promise.all(few);
  expect(batches).toEqual([[1, 2]]);

  const many = Array.from({ length: 24 }, (_, n) => n);
  const answers = many.map(ask);
  expect(batches).toEqual([[1, 2], many]);
  expect(await Promise.all(answers)).toEqual(many);
});

test('a failure reaches those who asked, and nobody else', async () => {
  const ask = createBatchLoader(
    async (questions: readonly string[]) => {
      if (questions.includes('bad')) throw new Error('no');
      return questions;
    },
    { max: 1 },
  );
  const asked = await Promise.allSettled([ask('bad'), ask('good')]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a question without an answer by its deadline is abandoned, on its way or still waiting', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const ask = createBatchLoader(
    (_questions: readonly string[]) => {
      arrive();
      return new Promise<readonly string[]>(() => {});
    },
    { max: 10, deadlineMs: 10 },
  );
  const sent = expect(ask('sent')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  await arrived;
  await expect(ask('waiting')).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  await sent;
});
