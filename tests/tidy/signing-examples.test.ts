import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSignature } from '@munshi/core';
import { afterAll, describe, expect, test } from 'vitest';
import { read } from './sources.ts';

interface Vector {
  readonly name: string;
  readonly body: string;
  readonly canonical: string;
  readonly signature: string;
}

const VECTORS = path.join(
  import.meta.dirname,
  '..',
  '..',
  'packages',
  'core',
  'src',
  'testdata',
  'signature-vectors.json',
);
const { secret, vectors } = JSON.parse(readFileSync(VECTORS, 'utf8')) as {
  readonly secret: string;
  readonly vectors: readonly Vector[];
};
const UNSIGNED = '{"orderType":"Deposit","amount":1500.50,"walletType":"ProviderA"}';

const folder = mkdtempSync(path.join(tmpdir(), 'munshi-signing-'));
afterAll(() => rmSync(folder, { recursive: true }));

const example = (language: string) => {
  const found = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm');
  const code = [...read('docs/signing.md').matchAll(found)]
    .map(([, text = '']) => text)
    .find((text) => /\bsign\b *\(/.test(text));
  if (code === undefined) throw new Error(`docs/signing.md has no example in ${language}`);
  return code;
};

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * What the shell is given by hand: the fields that count, decoded, their keys lowered and their
 * numbers as written.
 */
function pairsOf({ body }: Vector): readonly string[] {
  const asWritten = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' ? source : value;
  return Object.entries(JSON.parse(body, asWritten as never) as object)
    .filter(
      ([key, value]) =>
        key.toLowerCase() !== 'signature' &&
        value !== null &&
        value !== '' &&
        typeof value !== 'object',
    )
    .flatMap(([key, value]) => [key.toLowerCase(), String(value)]);
}

/**
 * Programs that print a JSON list: the signature of every vector, then the whole body that `signed`
 * makes, where there is one.
 */
const LANGUAGES = [
  {
    language: 'js',
    command: process.execPath,
    probe: ['--version'],
    file: 'sign.mjs',
    program: (code: string) => `import { readFileSync } from 'node:fs';\n${code}
const { secret, vectors } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
console.log(JSON.stringify([...vectors.map(({ body }) => sign(body, secret)), signed(process.argv[3], secret)]));\n`,
  },
  {
    language: 'python',
    command: 'python3',
    probe: ['--version'],
    file: 'sign.py',
    program: (code: string) => `${code}
import sys
given = json.load(open(sys.argv[1], encoding="utf-8"))
print(json.dumps([sign(vector["body"], given["secret"]) for vector in given["vectors"]] + [signed(sys.argv[2], given["secret"])]))\n`,
  },
  {
    language: 'php',
    command: 'php',
    probe: ['-r', 'exit(extension_loaded("mbstring") ? 0 : 1);'],
    file: 'sign.php',
    program: (code: string) => `<?php\n${code}
$given = json_decode(file_get_contents($argv[1]), true);
echo json_encode([...array_map(fn ($vector) => sign($vector['body'], $given['secret']), $given['vectors']), signed($argv[2], $given['secret'])]);\n`,
  },
  {
    language: 'sh',
    command: 'sh',
    probe: ['-c', 'openssl version'],
    file: 'sign.sh',
    program: (code: string) => {
      const lines = vectors.map(
        (vector) => `sign ${[secret, ...pairsOf(vector)].map(quoted).join(' ')}`,
      );
      const listed = lines.map((line) => `printf '"%s"' "$(${line})"`).join('\nprintf ,\n');
      return `${code}\nprintf '['\n${listed}\nprintf ']'\n`;
    },
  },
];

describe('the examples of docs/signing.md', () => {
  // Node alone is needed here; the others are held to it where they are.
  test('agree with every golden vector, in each language that this machine has', () => {
    const present = LANGUAGES.filter(
      ({ command, probe }) => spawnSync(command, probe).status === 0,
    );
    expect(present.map(({ language }) => language)).toContain('js');
    for (const { language, command, file, program } of present) {
      const script = path.join(folder, file);
      writeFileSync(script, program(example(language)));
      const { status, stdout, stderr } = spawnSync(command, [script, VECTORS, UNSIGNED], {
        encoding: 'utf8',
      });
      expect([status, stderr], language).toEqual([0, '']);
      const [answers, whole] = [
        JSON.parse(stdout).slice(0, vectors.length),
        JSON.parse(stdout)[vectors.length],
      ];
      expect(answers, language).toEqual(vectors.map(({ signature }) => signature));
      if (whole !== undefined) {
        const { signature } = vectors.find(({ body }) =>
          body.startsWith(UNSIGNED.slice(0, -1)),
        ) as Vector;
        expect(whole, language).toBe(`${UNSIGNED.slice(0, -1)},"signature":"${signature}"}`);
        expect(readSignature(whole)).toMatchObject({ ok: true, signature });
      }
    }
  });

  test('are there in four languages', () => {
    for (const { language } of LANGUAGES) expect(example(language)).toMatch(/\bsign\b/);
  });
});
