import { expect, test } from 'vitest';
import { createPrimaryFinder } from './primary.ts';

const [A, B] = [
  { host: 'a', port: 5432 },
  { host: 'b', port: 5432 },
];

test('a primary that falls silent just after it was found is not found again by its old claim', async () => {
  const found: string[] = [];
  const judged = Promise.withResolvers<void>();
  let alive = true;
  let questions = 0;
  const finder = createPrimaryFinder({
    hosts: [A, B],
    async ask(host) {
      if (host === A) return alive ? { standby: false, timeline: 1 } : new Promise(() => {});
      if (!alive) questions += 1;
      if (questions === 6) judged.resolve();
      return { standby: true, timeline: 0 };
    },
    onFound({ host }) {
      found.push(host);
      if (!alive) judged.resolve();
    },
    watch: { suspected() {}, lost() {}, found() {} },
  });

  expect(await finder.find(1_000)).toBe(A);
  alive = false;
  finder.suspect(A, new Error('the connection broke'));
  await judged.promise;
  finder.close();

  expect(found).toEqual(['a']);
});
