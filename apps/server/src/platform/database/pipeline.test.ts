import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from './db.ts';
import { bytesArray, copyLine, plainArray, runPipeline, textArray } from './pipeline.ts';

const { host, user, password } = inject('postgres');
let database: Database;
let lane: pg.Client;

beforeAll(async () => {
  database = openDatabase(
    { user, password, database: 'postgres', ssl: false, hosts: [{ host, port: 5432 }] },
    { poolSize: 1 },
  );
  lane = await database.openLane('test');
  await lane.query('create temporary table notes (number integer unique, note text)');
});
afterAll(async () => {
  await lane.end();
  await database.close();
});

const ONE = { name: 'one', text: 'select $1::integer as one', values: ['1'] };
const FAILING = { name: 'failing', text: 'select 1 / $1::integer as none', values: ['0'] };
const NOTE = { read: ({ note }: { readonly note?: string | null }) => note };
const AWKWARD = [
  '',
  'plain',
  'tab\there',
  'line\nand\rline',
  'back\\slash',
  '\\N',
  '\\.',
  '"quoted", {braced}',
  'null',
  'اردو 🙂',
  "it's",
];

test('answers come back in order, the second time as the first', async () => {
  const statements = [
    { name: 'begin', text: 'begin' },
    ONE,
    { name: 'none', text: 'select 1 as none where false' },
    { name: 'rollback', text: 'rollback' },
  ];
  expect(await runPipeline(lane, statements)).toEqual([[], [{ one: 1 }], [], []]);
  expect(await runPipeline(lane, statements)).toEqual([[], [{ one: 1 }], [], []]);
});

test('behind one that fails nothing is run, and the connection goes on', async () => {
  const insert = { name: 'insert', text: 'insert into notes values (1, null)' };
  await expect(runPipeline(lane, [ONE, FAILING, insert])).rejects.toMatchObject({ code: '22012' });
  expect(
    await runPipeline(lane, [
      { name: 'count', text: 'select count(*)::integer as rows from notes' },
      ONE,
    ]),
  ).toEqual([[{ rows: 0 }], [{ one: 1 }]]);
});

test('pipelines sent behind each other are answered each with its own', async () => {
  const pipelines = [1, 2, 3, 4].map((number) =>
    runPipeline(lane, [{ ...ONE, values: [String(number)] }, ...(number === 2 ? [FAILING] : [])]),
  );
  const answers = (await Promise.allSettled(pipelines)).map((one) =>
    one.status === 'fulfilled' ? one.value : 'failed',
  );
  expect(answers).toEqual([[[{ one: 1 }]], 'failed', [[{ one: 3 }]], [[{ one: 4 }]]]);
});

test('copied rows and array parameters keep every character', async () => {
  const copied = [
    ...AWKWARD.map((note, number) => copyLine([number, note])),
    copyLine([AWKWARD.length, null]),
  ].join('');
  const [, notes] = await runPipeline(lane, [
    { name: 'copy', text: 'copy notes (number, note) from stdin', copied },
    { name: 'notes', text: 'select note from notes order by number', columns: NOTE },
  ]);
  expect(notes).toEqual([...AWKWARD, null]);
  const [[arrays]] = await runPipeline(lane, [
    {
      name: 'arrays',
      text: 'select $1::text[] as texts, $2::bytea[] as bytes, $3::integer[] as numbers',
      values: [textArray(AWKWARD), bytesArray(['00ff']), plainArray([1, 2])],
    },
  ]);
  expect(arrays).toEqual({ texts: AWKWARD, bytes: [Buffer.from([0, 255])], numbers: [1, 2] });
});

test('a copied row that breaks a rule fails like any other statement', async () => {
  const twice = {
    name: 'copy',
    text: 'copy notes (number, note) from stdin',
    copied: copyLine([99, 'a']) + copyLine([99, 'b']),
  };
  await expect(runPipeline(lane, [twice, ONE])).rejects.toMatchObject({ code: '23505' });
  expect(await runPipeline(lane, [ONE])).toEqual([[{ one: 1 }]]);
});
