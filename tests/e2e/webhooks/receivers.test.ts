import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { signatureOf } from '../../support/receiver.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8');
const example = (language: string) => {
  const found = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(page)?.[1];
  if (found === undefined) throw new Error(`docs/webhooks.md has no example in ${language}`);
  return found;
};
const folder = mkdtempSync(path.join(tmpdir(), 'munshi-webhooks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const runs = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;
const body = Buffer.from(
  '{"eventType":"order.failed","reason":"“اردو” 🙃 \\u0000","amount":99999999999999.9999}',
);
const secret = 'sksec_0123456789abcdefghijABCDEFGHIJ0123456789';

/** Each program ends with 0 when its example says yes, with 1 when it says no. */
const LANGUAGES = [
  {
    language: 'ts',
    command: process.execPath,
    file: 'verify.ts',
    program: (code: string) => `import { readFileSync } from 'node:fs';\n${code}
const [, , file = '', signature, secret = ''] = process.argv;\nprocess.exitCode = isFromMunshi(readFileSync(file), signature, secret) ? 0 : 1;\n`,
  },
  {
    language: 'python',
    command: 'python3',
    file: 'verify.py',
    program: (code: string) =>
      `${code}\nimport sys\nsys.exit(0 if is_from_munshi(open(sys.argv[1], "rb").read(), sys.argv[2], sys.argv[3]) else 1)\n`,
  },
  {
    language: 'php',
    command: 'php',
    file: 'verify.php',
    program: (code: string) =>
      `<?php\n${code}\nexit(is_from_munshi(file_get_contents($argv[1]), $argv[2], $argv[3]) ? 0 : 1);\n`,
  },
  {
    language: 'sh',
    command: 'sh',
    file: 'verify.sh',
    program: (code: string) => `${code}\nis_from_munshi "$1" "$2" "$3"\n`,
  },
];

describe('the examples of docs/webhooks.md', () => {
  // `sh` has no --version everywhere; its example needs openssl. Node alone is needed here; the
  // others are held to it where they are.
  const canRun = ({ command }: (typeof LANGUAGES)[number]) =>
    command === 'sh' ? runs('openssl', 'version') : runs(command, '--version');
  test.each(LANGUAGES.filter(canRun))(
    '$language: says yes to what the service signs, and no to everything else',
    ({ language, command, file, program }) => {
      const script = path.join(folder, file);
      writeFileSync(script, program(example(language)));
      const verify = (bytes: Buffer, signature: string, key: string) => {
        writeFileSync(path.join(folder, 'body.json'), bytes);
        const { status, stderr } = spawnSync(
          command,
          [script, path.join(folder, 'body.json'), signature, key],
          { encoding: 'utf8' },
        );
        if (status !== 0 && status !== 1) throw new Error(stderr);
        return status === 0;
      };
      const signature = signatureOf(body, secret);
      expect(verify(body, signature, secret)).toBe(true);
      expect(verify(Buffer.concat([body, Buffer.from(' ')]), signature, secret)).toBe(false);
      expect(verify(body, signature, secret.replace('0', '1'))).toBe(false);
      expect(verify(body, signature.replace('sha256=', ''), secret)).toBe(false);
      expect(verify(body, signature.toUpperCase(), secret)).toBe(false);
      expect(verify(body, '', secret)).toBe(false);
    },
  );

  test('the schedule in the table is the one that is kept', () => {
    expect(page).toContain(
      '| next one in | 1 min | 2 min | 4 min | 8 min | 16 min | 32 min | 64 min | 2 h 8 min | 4 h 16 min | none: abandoned |',
    );
  });
});
