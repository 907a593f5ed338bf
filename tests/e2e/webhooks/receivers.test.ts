import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect } from 'vitest';
import { type ListenOptions, listen } from '../../../packages/cli/src/listen.ts';
import { advance, createMerchant } from '../../support/fixtures.ts';
import { confirmLate, deliveryWhen, failedOrder } from '../../support/outcomes.ts';
import { signatureOf } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
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

describe('munshi listen', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  async function start(options: Partial<ListenOptions> = {}) {
    const lines: string[] = [];
    const all = {
      host: '127.0.0.1',
      port: 0,
      secrets: [merchant.signingSecret],
      answer: 200,
      failFirst: 0,
      delay: 0,
      hang: false,
      bodies: false,
    };
    const { url, close } = await listen({ ...all, ...options }, (line) => lines.push(line));
    closing.push(close);
    return { url, text: () => lines.join('\n') };
  }

  test('verifies and prints what came, and knows a duplicate', async () => {
    const { url, text } = await start({ bodies: true });
    const order = await failedOrder(service, merchant, { callbackUrl: `${url}/hook` });
    const { deliveryId } = await deliveryWhen(service, order, { status: 'delivered' });
    expect(text()).toContain('POST /hook order.failed: signature matches');
    expect(text()).toContain(`order ${order.orderReference}, Cancelled, "cancelled for the test"`);
    expect(text()).toContain(
      `delivery ${deliveryId}, attempt 1 seen here, key ${merchant.apiKey.slice(8, 16)}`,
    );
    expect(text()).toContain(`"orderId": "${order.orderId}"`);
    expect(text()).not.toContain('duplicate');
    const { rows } = await service.database.pool.query(
      'select body from deliveries where delivery_id = $1',
      [deliveryId],
    );
    const again = await fetch(url, {
      method: 'POST',
      headers: { 'x-svc-signature': signatureOf(rows[0].body, merchant.signingSecret) },
      body: rows[0].body,
    });
    expect(again.status).toBe(200);
    expect(text()).toContain(
      `a duplicate: order.failed of this order was acknowledged before, in delivery ${deliveryId}`,
    );
    await confirmLate(service, order);
    await deliveryWhen(service, order, { status: 'delivered', eventType: 'order.completed' });
    expect(text().match(/duplicate/g)).toHaveLength(1);
  });

  test('answers 401 to a signature that does not match', async () => {
    const { url, text } = await start({ secrets: [secret] });
    const { made } = await deliveryWhen(
      service,
      await failedOrder(service, merchant, { callbackUrl: url }),
      { attempts: 1 },
    );
    expect(made).toMatchObject([{ responseStatus: 401, answer: 'the signature does not match\n' }]);
    expect(text()).toContain('SIGNATURE DOES NOT MATCH');
  });

  test('fails on purpose: the first attempts of each delivery, or always', async () => {
    const { url } = await start({ failFirst: 2 });
    const order = await failedOrder(service, merchant, { callbackUrl: url });
    await deliveryWhen(service, order, { attempts: 1 });
    await advance(service, 200);
    const { made } = await deliveryWhen(service, order, { status: 'delivered', attempts: 3 });
    expect(made.map(({ responseStatus }) => responseStatus)).toEqual([500, 500, 200]);
    const always = await start({ answer: 418, delay: 0.05 });
    const other = await deliveryWhen(
      service,
      await failedOrder(service, merchant, { callbackUrl: always.url }),
      { attempts: 1 },
    );
    expect(other.made).toMatchObject([{ responseStatus: 418 }]);
  });
});
