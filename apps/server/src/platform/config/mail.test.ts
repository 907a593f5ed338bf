import { describe, expect, test } from 'vitest';
import { readMail } from './mail.ts';
import { ConfigError } from './setting.ts';

const MAIL_FROM = 'munshi@example.com';
const read = (SMTP_URL: string, from = MAIL_FROM) => readMail({ SMTP_URL, MAIL_FROM: from });

test('without both settings no mail is sent', () => {
  expect(readMail({})).toBeUndefined();
  expect(readMail({ SMTP_URL: '', MAIL_FROM: '' })).toBeUndefined();
});

test('host, port, user and password are read from the URL', () => {
  expect(read('smtps://munshi%40a.example:p%40ss%2Fword@mail.example:2465')).toEqual({
    host: 'mail.example',
    port: 2465,
    tls: 'at-once',
    login: { user: 'munshi@a.example', password: 'p@ss/word' },
    from: { name: '', address: MAIL_FROM },
  });
});

test.each([
  ['smtp://mail.example', 587, 'upgraded'],
  ['smtps://mail.example/', 465, 'at-once'],
  ['smtp://localhost:25', 25, 'none'],
  ['smtp://[::1]', 587, 'none'],
  ['smtps://127.0.0.1', 465, 'at-once'],
  ['smtp://10.0.0.5', 587, 'upgraded'],
  ['smtp://localhost.example', 587, 'upgraded'],
] as const)('%s: port %i, TLS %s', (url, port, tls) => {
  expect(read(url)).toMatchObject({ port, tls, login: undefined });
});

test.each([
  ['Munshi <munshi@example.com>', 'Munshi'],
  ['Munshi, of Karachi <munshi@example.com>', 'Munshi, of Karachi'],
  ['<munshi@example.com>', ''],
])('mail comes from %s', (from, name) => {
  expect(read('smtp://localhost', from)?.from).toEqual({ name, address: MAIL_FROM });
});

describe('what is wrong stops the start with one line that shows no password', () => {
  test.each([
    [{ SMTP_URL: 'smtp://u:Qx7@mail.example' }, 'SMTP_URL is set without MAIL_FROM: set'],
    [{ MAIL_FROM }, 'MAIL_FROM is set without SMTP_URL: name'],
    [{ SMTP_URL: 'mail.example:Qx7', MAIL_FROM }, 'SMTP_URL must look like smtp://'],
    [{ SMTP_URL: 'http://u:Qx7@mail.example', MAIL_FROM }, 'SMTP_URL must look like smtp://'],
    [{ SMTP_URL: 'smtp://u:Qx7@mail.example:0', MAIL_FROM }, 'SMTP_URL must look like smtp://'],
    [{ SMTP_URL: 'smtp://u:a/Qx7@mail.example', MAIL_FROM }, 'SMTP_URL must look like smtp://'],
    [{ SMTP_URL: 'smtp://u:a#Qx7@mail.example', MAIL_FROM }, 'SMTP_URL must look like smtp://'],
    [{ SMTP_URL: 'smtp://u:Qx7@mail.example?tls=no', MAIL_FROM }, 'with nothing after the port'],
    [{ SMTP_URL: 'smtp://u:Qx7%zz@mail.example', MAIL_FROM }, 'SMTP_URL has a %'],
    [{ SMTP_URL: 'smtp://Qx7@mail.example', MAIL_FROM }, 'a user and a password, or neither'],
    [{ SMTP_URL: 'smtp://:Qx7@mail.example', MAIL_FROM }, 'a user and a password, or neither'],
    [{ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'Munshi' }, 'MAIL_FROM must be an e-mail address'],
    [{ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@b.c, d@e.f' }, 'MAIL_FROM must be'],
    [{ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'A\nBcc: <a@b.c>' }, 'MAIL_FROM must be'],
  ])('%j', (env, message) => {
    expect(() => readMail(env)).toThrow(ConfigError);
    expect(() => readMail(env)).toThrow(message);
    expect(() => readMail(env)).not.toThrow(/Qx7/);
  });
});
