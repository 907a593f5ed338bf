import { describe, expect, test } from 'vitest';
import { statementsIn } from '../../apps/server/src/platform/database/migrate.ts';
import { filesOf, read } from './sources.ts';

/** From this one on a migration may meet a cell on Citus; the others run before it is one. */
const FIRST = '0018';

/** What Citus refuses or quietly leaves out of a cell, and what to write instead. */
const REFUSED: readonly (readonly [what: RegExp, instead: string])[] = [
  [
    /\badd column\b[^;]*\b(check\s*\(|references|unique|primary key|generated)/i,
    'add the column plainly, and its constraint by name in a statement of its own',
  ],
  [/^alter table\b[^$]*?\badd column\b[^$]*?,\s*add column\b/i, 'add one column a statement'],
  [/^drop (table|index|view|function)\b[^;(]*,/i, 'drop one thing a statement'],
  [/^create (constraint )?trigger\b[^;]*\btruncate\b/i, 'leave truncate out of the trigger'],
  [/\bset statistics\b/i, 'statistics targets are the server’s there'],
  [/^create unlogged table\b/i, 'a cell that moves takes what is logged'],
  [/^create table\b(?![\s\S]*\bprimary key\b)/i, 'a table that changes needs a primary key'],
  [/^do\b/i, 'write the statements one by one'],
  [
    /\breturns trigger\b[\s\S]*\b(update|insert into|delete from) (?!%I)\w+/i,
    'name the schema by tg_table_schema, as 0007 does',
  ],
  [/\bpublic\./i, 'name no schema'],
];

const refusalsOf = (sql: string) =>
  statementsIn(sql).flatMap((statement) =>
    REFUSED.filter(([what]) => what.test(statement.trim())).map(
      ([, instead]) => `${statement.trim().split('\n')[0]}: ${instead}`,
    ),
  );

const FILES = filesOf('apps/server/src/platform/database/migrations/*.sql');

describe('migrations', () => {
  test('have a number each: of two branches the one merged second takes the next', () => {
    const byNumber = Map.groupBy(FILES, (file) => /\d+(?=_\w+\.sql$)/.exec(file)?.[0]);
    expect([...byNumber.values()].filter((files) => files.length > 1)).toEqual([]);
  });

  test('hold nothing that a cell on Citus does not take', () => {
    const files = FILES.filter((file) => (file.split('/').at(-1) as string) >= FIRST);
    expect(files.length).toBeGreaterThan(0);
    expect(files.flatMap((file) => refusalsOf(read(file)).map((why) => `${file}: ${why}`))).toEqual(
      [],
    );
  });

  test('each rule finds what it is about', () => {
    const bad = `
      alter table orders add column tag text check (tag <> '');
      alter table orders add column a text, add column b text;
      drop index orders_a, orders_b;
      create trigger t after insert or truncate on orders execute function f();
      alter table orders alter column tag set statistics 10;
      create unlogged table hints (hint text primary key);
      create table hints (hint text);
      do $$ begin perform 1; end $$;
      create function f() returns trigger language plpgsql as $$ begin update orders set a = 1; end $$;
      insert into public.settings default values;`
      .split('\n')
      .map((line) => line.trim())
      .join('\n');
    expect(new Set(refusalsOf(bad).map((why) => why.split(': ').at(-1)))).toEqual(
      new Set(REFUSED.map(([, instead]) => instead)),
    );
  });
});
