import { execFile, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGNATURE_VECTORS } from '../support/sdk-files.ts';
import { read } from '../tidy/sources.ts';

/** The examples in languages that are compiled, which few machines have. */
const LANGUAGES = [
  {
    language: 'java',
    missing: 'Java is missing: apt-get install default-jdk-headless',
    probe: ['java', '-version'],
    file: 'Examples.java',
    run: ['java', 'Examples.java'],
    program: (sign: string, verify: string) => `
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.util.*;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import static java.nio.charset.StandardCharsets.UTF_8;
class Examples {
${sign}
${verify}
  public static void main(String[] args) throws Exception {
    var out = new java.io.PrintStream(System.out, true, UTF_8);
    ${signed(
      (fields) =>
        `out.println(sign(new HashMap<>() {{ ${fields.map(([key, value]) => `put(${JSON.stringify(key)}, ${java(value)});`).join(' ')} }}, ${JSON.stringify(SIGNATURE_VECTORS.secret)}));`,
    )}
    ${verified((body, signature) => `out.println(isFromMunshi(${JSON.stringify(body)}.getBytes(UTF_8), ${JSON.stringify(signature)}, "secret"));`)}
  }
}
`,
  },
  {
    language: 'go',
    missing: 'Go is missing: apt-get install golang-go',
    probe: ['go', 'version'],
    file: 'examples.go',
    run: ['go', 'run', 'examples.go'],
    program: (sign: string, verify: string) => `package main
import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
)
${sign}
${verify}
func show(signature string, err error) {
	if err != nil {
		panic(err)
	}
	fmt.Println(signature)
}
func main() {
${SIGNATURE_VECTORS.vectors.map(({ body }) => `show(sign(${go(body)}, ${go(SIGNATURE_VECTORS.secret)}))`).join('\n')}
${verified((body, signature) => `fmt.Println(isFromMunshi([]byte(${go(body)}), ${go(signature)}, "secret"))`)}
}
`,
  },
];

/** Texts of Go, whose escapes of code points differ from those of JSON. */
function go(text: string): string {
  return `"${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}"`;
}

/** A value of a field, its numbers as they are written. */
function java(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Written) return JSON.stringify(value.text);
  if (Array.isArray(value)) return 'List.of()';
  return typeof value === 'object' && value !== null ? 'Map.of()' : String(value);
}
class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function signed(line: (fields: readonly [string, unknown][]) => string): string {
  const asWritten = (_: string, value: unknown, { source = '' }: { source?: string }) =>
    typeof value === 'number' ? new Written(source) : value;
  return SIGNATURE_VECTORS.vectors
    .map(({ body }) => line(Object.entries(JSON.parse(body, asWritten as never) as object)))
    .join('\n');
}

const BODY = '{"amount":1500.50,"reason":"ہو گیا"}';
const SIGNATURE = `sha256=${createHmac('sha256', 'secret').update(BODY).digest('hex')}`;
const verified = (line: (body: string, signature: string) => string) =>
  [line(BODY, SIGNATURE), line(`${BODY} `, SIGNATURE), line(BODY, '')].join('\n');

const exampleOf = (page: string, language: string): string => {
  const [, code] =
    new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(read(page)) ?? [];
  if (code === undefined) throw new Error(`${page} has no example in ${language}`);
  return code;
};

let folder: string;
beforeAll(async () => {
  for (const { probe, missing } of LANGUAGES)
    if (spawnSync(probe[0] as string, probe.slice(1)).error) throw new Error(missing);
  folder = await mkdtemp(path.join(tmpdir(), 'munshi-languages-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(LANGUAGES)(
  'the examples in $language agree with every golden vector, and tell a webhook of ours from another',
  async ({ language, file, run: [command = '', ...args], program }) => {
    const sign = exampleOf('docs/signing.md', language);
    const verify = exampleOf('docs/webhooks.md', language);
    await writeFile(path.join(folder, file), program(sign, verify));
    const { stdout } = await promisify(execFile)(command, args, { cwd: folder });
    expect(stdout.trim().split('\n')).toEqual([
      ...SIGNATURE_VECTORS.vectors.map(({ signature }) => signature),
      ...['true', 'false', 'false'],
    ]);
  },
);
