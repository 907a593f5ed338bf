import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MemberKind, type Members, type ScanRefusal, scanObject } from './json-object.ts';

function membersOf(text: string): Members {
  const scan = scanObject(text);
  if (!scan.ok) throw new Error(`refused: ${scan.reason}`);
  return scan.members;
}

describe('an accepted object gives every top-level member', () => {
  const rows: [text: string, key: string, kind: MemberKind, source: string, value: string][] = [
    ['{"a":"b"}', 'a', 'string', '"b"', 'b'],
    ['{"a":""}', 'a', 'string', '""', ''],
    ['{"a":"\\u0627\\/\\n\\"\\\\"}', 'a', 'string', '"\\u0627\\/\\n\\"\\\\"', 'ا/\n"\\'],
    ['{"a":"\\ud83d\\ude00"}', 'a', 'string', '"\\ud83d\\ude00"', '😀'],
    ['{"a":"}],{[:\\""}', 'a', 'string', '"}],{[:\\""', '}],{[:"'],
    ['{"a":1500.50}', 'a', 'number', '1500.50', '1500.50'],
    ['{"a":-0}', 'a', 'number', '-0', '-0'],
    ['{"a":1E+3 ,"b":1}', 'a', 'number', '1E+3', '1E+3'],
    ['{"a":99999999999999.9999}', 'a', 'number', '99999999999999.9999', '99999999999999.9999'],
    ['{"a":true}', 'a', 'boolean', 'true', 'true'],
    ['{"a":false\n}', 'a', 'boolean', 'false', 'false'],
    ['{"a":null}', 'a', 'null', 'null', 'null'],
    ['{"a":{"a":"}\\""},"b":2}', 'a', 'object', '{"a":"}\\""}', '{"a":"}\\""}'],
    ['{"a":[ 1,{"b":[]}, "]" ] }', 'a', 'array', '[ 1,{"b":[]}, "]" ]', '[ 1,{"b":[]}, "]" ]'],
    [' \t\r\n{ \t\r\n"a" \t\r\n: \t\r\n1 \t\r\n} \t\r\n', 'a', 'number', '1', '1'],
    ['{"__proto__":1}', '__proto__', 'number', '1', '1'],
    ['{"constructor":"c"}', 'constructor', 'string', '"c"', 'c'],
    ['{"":1}', '', 'number', '1', '1'],
  ];
  test.each(rows)('%s', (text, key, kind, source, value) => {
    expect(membersOf(text).get(key)).toEqual({ key, kind, source, value });
  });

  test('keys are found by their lower-cased form and kept as sent, in the order of the text', () => {
    const members = membersOf(
      '{"OrderType":1,"\\u0041MOUNT":2,"callbac\\u212aUrl":3,"10":4,"9":5}',
    );
    expect([...members].map(([lowered, member]) => [lowered, member.key])).toEqual([
      ['ordertype', 'OrderType'],
      ['amount', 'AMOUNT'],
      ['callbackurl', 'callbac\u212aUrl'],
      ['10', '10'],
      ['9', '9'],
    ]);
  });

  test('an empty object has none', () => {
    expect(membersOf(' { } ').size).toBe(0);
  });
});

describe('refused', () => {
  const rows: [reason: ScanRefusal, text: string][] = [
    ['not JSON', ''],
    ['not JSON', ' '],
    ['not JSON', '{'],
    ['not JSON', '{"a":1,}'],
    ['not JSON', '{"a":01}'],
    ['not JSON', '{"a":.5}'],
    ['not JSON', "{'a':1}"],
    ['not JSON', '{"a":"\n"}'],
    ['not JSON', '{"a":NaN}'],
    ['not JSON', '{"a":1}{"b":2}'],
    ['not JSON', '{"a":1} x'],
    ['not JSON', '\ufeff{"a":1}'],
    ['not JSON', '{"a":1}\0'],
    ['not JSON', '\u00a0{"a":1}'],
    ['not an object', '[]'],
    ['not an object', '[{"a":1}]'],
    ['not an object', '"a"'],
    ['not an object', '1'],
    ['not an object', 'null'],
    ['not an object', ' true '],
    ['repeated key', '{"a":1,"a":1}'],
    ['repeated key', '{"a":1,"A":2}'],
    ['repeated key', '{"a":1,"\\u0061":2}'],
    ['repeated key', '{"k":1,"\u212a":2}'],
    ['repeated key', '{"É":1,"b":2,"é":3}'],
    ['repeated key', '{"__proto__":1,"__PROTO__":2}'],
    ['lone surrogate', '{"a":"\\ud800"}'],
    ['lone surrogate', '{"a":"\\uDFFF"}'],
    ['lone surrogate', '{"a":"\\ude00\\ud83d"}'],
    ['lone surrogate', '{"a":"\\ud83d\\ud83d\\ude00"}'],
    ['lone surrogate', '{"a":"\\ud83d \\ude00"}'],
    ['lone surrogate', '{"a":"\\ud83d\\\\ude00"}'],
    ['lone surrogate', '{"\\udbff":1}'],
    ['lone surrogate', '{"a":[{"b":["\\ud800"]}]}'],
    ['lone surrogate', '{"a":{"\\ud800":1}}'],
    ['lone surrogate', '{"a":"\ud800"}'],
    ['lone surrogate', '{"a":"\ud83d\\ude00"}'],
  ];
  test.each(rows)('%s: %j', (reason, text) => {
    expect(scanObject(text)).toEqual({ ok: false, reason });
  });

  const accepted: [why: string, text: string][] = [
    ['the same key at another depth', '{"a":{"a":1,"A":2}}'],
    ['a repeated key further down', '{"a":{"b":1,"b":2}}'],
    ['keys that only look alike: long s', '{"s":1,"ſ":2}'],
    ['keys that only look alike: Cyrillic a', '{"a":1,"а":2}'],
    ['keys that only look alike: composed and decomposed', '{"é":1,"e\u0301":2}'],
    ['an escaped backslash before u', '{"a":"\\\\ud800"}'],
    ['a surrogate pair, escaped', '{"\\ud83d\\ude00":"\\uD83D\\uDE00"}'],
    ['a surrogate pair, plain', '{"😀":"😀"}'],
  ];
  test.each(accepted)('but not %s', (_why, text) => {
    expect(scanObject(text).ok).toBe(true);
  });
});

// Four times the largest body: a quadratic scan would take most of a minute of the processor, however
// busy the machine is with other work.
describe('256 KB are read without recursion and in linear time', () => {
  const rows: [what: string, text: string, ok: boolean][] = [
    ['120,000 arrays deep', `{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}`, true],
    ['40,000 objects deep', `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`, true],
    [
      'a lone surrogate 120,000 deep',
      `{"a":${'['.repeat(120_000)}"\\ud800"${']'.repeat(120_000)}}`,
      false,
    ],
    ['250,000 deep and never closed', `{"a":${'['.repeat(250_000)}`, false],
    ['28,000 keys', `{${Array.from({ length: 28_000 }, (_, key) => `"${key}":1`).join()}}`, true],
    ['backslashes and quotes', `{"a":"${'\\\\\\"'.repeat(64_000)}"}`, true],
    ['backslashes', `{"a":"${'\\\\'.repeat(125_000)}"}`, true],
    ['escaped pairs', `{"a":"${'\\ud83d\\ude00'.repeat(21_000)}"}`, true],
    ['a long number', `{"a":${'9'.repeat(250_000)}}`, true],
    ['white space', `${' '.repeat(125_000)}{${' '.repeat(125_000)}}`, true],
  ];
  test.each(rows)('%s', (_what, text, ok) => {
    const before = process.cpuUsage();
    expect(scanObject(text).ok).toBe(ok);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(10_000);
  });
});

/** What scanObject promises, by way of the parsed value only. */
function isAcceptable(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      !text.startsWith('\ufeff')
    );
  } catch {
    return false;
  }
}

test('agrees with JSON.parse on every member of any object', () => {
  const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/);
  const object = fc.dictionary(
    fc.string({ unit: 'grapheme' }),
    fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }),
    { maxKeys: 6 },
  );
  fc.assert(
    fc.property(object, space, fc.nat(3), (value, blank, indent) => {
      fc.pre(
        new Set(Object.keys(value).map((key) => key.toLowerCase())).size ===
          Object.keys(value).length,
      );
      const text = blank + JSON.stringify(value, null, indent) + blank;
      const members = membersOf(text);
      const parsed = JSON.parse(text) as Record<string, unknown>;
      expect([...members.values()].map((member) => member.key).sort()).toEqual(
        Object.keys(parsed).sort(),
      );
      for (const [lowered, member] of members) {
        expect(lowered).toBe(member.key.toLowerCase());
        const sent = Object.getOwnPropertyDescriptor(parsed, member.key)?.value;
        expect(JSON.parse(member.source)).toEqual(sent);
        expect(member.value).toBe(typeof sent === 'string' ? sent : member.source);
        expect(member.kind).toBe(
          sent === null ? 'null' : Array.isArray(sent) ? 'array' : typeof sent,
        );
      }
    }),
    { numRuns: 500 },
  );
});

test('any text, and any damaged JSON, is accepted or refused as JSON.parse says', () => {
  const damaged = fc
    .tuple(
      fc.json({ maxDepth: 2 }),
      fc.nat(),
      fc.constantFrom(
        '',
        '"',
        '\\',
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '\\u0',
        '0',
        ' ',
        '\0',
        '\ufeff',
      ),
    )
    .map(
      ([text, place, insert]) =>
        text.slice(0, place % (text.length + 1)) +
        insert +
        text.slice((place % (text.length + 1)) + 1),
    );
  fc.assert(
    fc.property(fc.oneof(damaged, fc.json(), fc.string()), (text) => {
      const scan = scanObject(text);
      if (scan.ok) expect(isAcceptable(text)).toBe(true);
      else if (scan.reason === 'not JSON' || scan.reason === 'not an object')
        expect(isAcceptable(text)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('a lone surrogate is found exactly where the decoded text has one', () => {
  const piece = fc.constantFrom(
    '\\ud83d',
    '\\ude00',
    '\\uD800',
    '\\udfff',
    '\\\\',
    '\\"',
    'ud83d',
    '\\u0627',
    '\\ud7ff',
    '\\ue000',
    '😀',
    'x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = `{"a":["${pieces.join('')}"]}`;
      const [decoded] = (JSON.parse(text) as { a: [string] }).a;
      expect(scanObject(text).ok).toBe(decoded.isWellFormed());
    }),
    { numRuns: 2_000 },
  );
});
