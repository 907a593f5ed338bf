import { expect, test } from 'vitest';
import { remember } from './remember.ts';

function counted(answers: Readonly<Record<string, string>>, max: number) {
  const asked: string[] = [];
  const read = remember(async (key) => {
    asked.push(key);
    return answers[key];
  }, max);
  return { asked, read };
}

test('what has been read is not read again', async () => {
  const { asked, read } = counted({ a: 'A', b: 'B' }, 10);
  expect([await read('a'), await read('b'), await read('a'), await read('b')]).toEqual([
    'A',
    'B',
    'A',
    'B',
  ]);
  expect(asked).toEqual(['a', 'b']);
});

test('what was not there is asked for again', async () => {
  const { asked, read } = counted({}, 10);
  expect([await read('a'), await read('a')]).toEqual([undefined, undefined]);
  expect(asked).toEqual(['a', 'a']);
});

test('the one read first makes room for a new one', async () => {
  const { asked, read } = counted({ a: 'A', b: 'B', c: 'C' }, 2);
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) expect(await read(key)).toBe(key.toUpperCase());
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('asked for twice at once, kept once', async () => {
  const { asked, read } = counted({ a: 'A', b: 'B' }, 2);
  await Promise.all([read('a'), read('a')]);
  await read('b');
  expect([await read('a'), await read('b')]).toEqual(['A', 'B']);
  expect(asked).toEqual(['a', 'a', 'b']);
});
