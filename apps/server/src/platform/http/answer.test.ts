import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import {
  calledUrl,
  factor,
  money,
  orNull,
  time,
} from '../../../../../packages/api/src/contract/schemas.ts';
import { answerWriter } from './answer.ts';

const AT = Date.UTC(2026, 9, 31, 12);

describe('an answer is written by its schema', () => {
  it.each([
    ['money by its digits', money(), 1_234_567_890_123_400n, '123456789012.34'],
    ['money below zero', money(), -5_000n, '-0.5'],
    ['a rate with eight places', factor(''), 360_012_345n, '3.60012345'],
    ['a time as ISO 8601 UTC', time, AT, '"2026-10-31T12:00:00.000Z"'],
    ['nothing where there may be nothing', orNull(money()), null, 'null'],
    ['an amount where there may be nothing', orNull(money()), 10_000n, '1'],
    ['each item of a list', Type.Array(time), [AT], '["2026-10-31T12:00:00.000Z"]'],
    [
      'a URL that is called without its password',
      calledUrl(),
      'https://a:b@c/',
      '"https://***@c/"',
    ],
    ['no URL where there may be none', orNull(calledUrl()), null, 'null'],
    ['a text as JSON has it', Type.String(), 'a "b"\n', '"a \\"b\\"\\n"'],
    [
      'what has no shape as it is',
      Type.Record(Type.String(), Type.Unknown()),
      { a: [1] },
      '{"a":[1]}',
    ],
  ])('%s', (_, schema, value, written) => {
    expect(answerWriter(schema)(value)).toBe(written);
  });

  const ACCOUNT = Type.Object({ number: Type.String(), limit: orNull(money()) });

  it('a field that it does not name is not written', () => {
    const stored = { passwordHash: 'scrypt$…', number: '0301', limit: 10_000n };
    expect(answerWriter(ACCOUNT)(stored)).toBe('{"number":"0301","limit":1}');
  });

  it('a field that is left out is left out, and null is null', () => {
    expect(answerWriter(ACCOUNT)({ number: undefined, limit: null })).toBe('{"limit":null}');
  });

  it('one of several shapes is written as the one that it is', () => {
    const waiting = Type.Object({ status: Type.Literal('pendingApproval'), id: Type.String() });
    const write = answerWriter(Type.Object({ data: Type.Union([ACCOUNT, waiting]) }));
    expect(write({ data: { number: '1', limit: 5_000n } })).toBe(
      '{"data":{"number":"1","limit":0.5}}',
    );
    expect(write({ data: { status: 'pendingApproval', id: 'a' } })).toBe(
      '{"data":{"status":"pendingApproval","id":"a"}}',
    );
  });

  it('an amount where the schema has none is an error, never a rounded number', () => {
    expect(() => answerWriter(Type.Object({ amount: Type.Number() }))({ amount: 1n })).toThrow();
  });

  it('a schema in which a time could be a number is refused', () => {
    expect(() => answerWriter(Type.Union([time, Type.Integer()]))).toThrow(
      'cannot be distinguished',
    );
  });
});
