import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from '../config.ts';
import { gatherSettings } from './gather.ts';
import { SETTINGS } from './setting.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'munshi-gather-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(text: string): string {
  files += 1;
  const name = path.join(folder, `file-${files}`);
  writeFileSync(name, text);
  return name;
}

const KEY = 'ab'.repeat(32);

test('every setting can be read from a file of its own, without the line break at its end', () => {
  for (const name of SETTINGS)
    expect(gatherSettings({ [`${name}_FILE`]: file('a value\n') })).toEqual({ [name]: 'a value' });
});

test('settings stand in the environment, in one file for all, and in files that it names', () => {
  const settings = file(
    `# of the service\n\nexport PORT=4000\r\nPUBLIC_URL="https://pay.example/munshi" # of us\nMASTER_KEY_FILE=${file(`${KEY}\n`)}\nLINK_KEYS=\n`,
  );
  expect(readConfig({ SETTINGS_FILE: settings, ROLES: 'http', PORT: '4000' })).toMatchObject({
    port: 4000,
    publicUrl: 'https://pay.example/munshi',
    masterKey: KEY,
    linkKeys: ['derived'],
    roles: new Set(['http']),
  });
});

test('what is set to nothing is not set', () => {
  expect(gatherSettings({ SETTINGS_FILE: '', MASTER_KEY_FILE: '', PORT: '1' })).toEqual({
    PORT: '1',
  });
  const settings = file('PORT=\nHOST_FILE=\n');
  expect(gatherSettings({ SETTINGS_FILE: settings, PORT: '1', HOST: '' })).toEqual({
    PORT: '1',
    HOST: '',
  });
});

test('files that other programs’ variables name are none of ours', () => {
  const env = { SSL_CERT_FILE: '/nowhere', EMBEDDED_PG_USER_FILE: '/nowhere' };
  expect(gatherSettings(env)).toEqual(env);
});

describe('a file that is wrong stops the start with one line that names it, and shows no secret', () => {
  const secret = `Qx7${'9'.repeat(20)}`;
  test.each([
    [{ MASTER_KEY: KEY, MASTER_KEY_FILE: file(KEY) }, /^MASTER_KEY and MASTER_KEY_FILE are both/],
    [
      { MASTER_KEY: secret, SETTINGS_FILE: file(`MASTER_KEY_FILE=${file(KEY)}`) },
      /^MASTER_KEY and MASTER_KEY_FILE are both/,
    ],
    [
      { PGPASSWORD: secret, SETTINGS_FILE: file('PGPASSWORD=another') },
      /^PGPASSWORD is set to one value in the environment and to another in ".*file-\d+"/,
    ],
    [
      { MASTER_KEY_FILE: '/nowhere' },
      /^MASTER_KEY_FILE names a file that cannot be read \(ENOENT\): "\/nowhere"/,
    ],
    [{ MASTER_KEY_FILE: folder }, /^MASTER_KEY_FILE names a file .* \(EISDIR\)/],
    [{ MASTER_KEY_FILE: file('\n') }, /^MASTER_KEY_FILE names an empty file/],
    [
      { MASTER_KEY_FILE: file(`${secret}\n${secret}\n`) },
      /^MASTER_KEY_FILE names a file of more than one line/,
    ],
    [{ SETTINGS_FILE: '/nowhere' }, /^SETTINGS_FILE names a file that cannot be read \(ENOENT\)/],
    [{ SETTINGS_FILE: file('\nPROT=80') }, /file-\d+", line 2: there is no setting PROT /],
    [{ SETTINGS_FILE: file('SETTINGS_FILE=x') }, /there is no setting SETTINGS_FILE/],
    [{ SETTINGS_FILE: file('PORT=1\nPORT=2') }, /line 2: PORT is set a second time/],
    [{ SETTINGS_FILE: file(secret) }, /line 1 is not of the form NAME=value/],
    [{ SETTINGS_FILE: file(`LINK_KEYS="x\n${secret}"`) }, /line 2 is not of the form/],
  ])('%#', (env, message) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(message);
    expect(() => readConfig(env)).not.toThrow(/Qx7/);
  });
});
