import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { pino } from 'pino';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, describe, expect } from 'vitest';
import { createApp } from '../../../apps/server/src/app/app.ts';
import { readConfig } from '../../../apps/server/src/platform/config.ts';
import { sendMail } from '../../../apps/server/src/platform/mail.ts';
import { advance, createMerchant } from '../../support/fixtures.ts';
import {
  MAIL_PASSWORD,
  MAIL_USER,
  type MailServer,
  startMailServer,
} from '../../support/mail-server.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { pace } from '../../support/pace.ts';
import { createPortalUser, PORTAL_PASSWORD, portalClient } from '../../support/portal.ts';
import { databaseUrl } from '../../support/process.ts';
import { scrape } from '../../support/scrape.ts';
import { MASTER_KEY, type Service, startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';
import { bareEnvironment, listenTo } from '../../support/spoken.ts';

/** Invitations and recovery links by mail. */

const ROOT = path.join(import.meta.dirname, '../../..');
const MAIL_FROM = 'Munshi <munshi@pay.example>';
const urlOf = (
  port: number,
  { scheme = 'smtp', password = MAIL_PASSWORD, host = 'localhost' } = {},
) => `${scheme}://${MAIL_USER}:${encodeURIComponent(password)}@${host}:${port}`;

let mailServer = await startMailServer();
const { port } = mailServer;
const { test, service } = await serviceTest({ SMTP_URL: urlOf(port), MAIL_FROM });
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  await mailServer.close();
});

const operator = operatorClient(service);
const merchant = await createMerchant(service, { name: 'Karachi Books\r\nBcc: x@evil.example' });
const { token } = await createPortalUser(service, merchant, 'admin');
const admin = portalClient(service, token);

const nobody = portalClient(service, '');
const accept = (link: string) =>
  nobody.call('POST', '/recovery', {
    token: link.slice(link.indexOf('#') + 1),
    newPassword: PORTAL_PASSWORD,
  });
const person = () => {
  const username = `mailed-${randomUUID()}`;
  return { username, role: 'viewer', email: `${username}@shop.example` };
};
/** The only mail to this address. */
function mailTo({ mails }: MailServer, email: string) {
  const found = mails.filter(({ to }) => to.includes(email));
  expect(found).toHaveLength(1);
  return found[0] as (typeof found)[number];
}
/** Another process on the same database. */
async function processWith(env: Record<string, string>): Promise<Service> {
  const other = await startService({ ROLES: 'http', ...env }, service);
  closing.push(() => other.close());
  return other;
}
const inviteAt = (at: Service, body: object) =>
  portalClient(at, token).data('POST', '/people', body);

describe('a link that is made is mailed', () => {
  test('to a person whom an admin of the merchant invites: once, with the link that the admin sees', async () => {
    const who = person();
    const first = await admin.call('POST', '/people', who, 'once');
    const repeat = await admin.call('POST', '/people', who, 'once');
    const { link, mailed, ...shown } = first.json.data;
    expect(mailed).toBe(true);
    expect(repeat.json.data).toEqual({ ...shown, secretShown: true });

    const mail = mailTo(mailServer, who.email);
    expect(mail).toMatchObject({ from: 'munshi@pay.example', to: [who.email] });
    expect(mail.body.split(/\s+/)).toContain(link);
    expect(mail.body).toContain('invites you to the portal of Karachi Books');
    expect(mail.body).toMatch(/until \d+ \w+ \d{4} at \d\d:\d\d UTC/);
    expect((await accept(link)).status).toBe(200);
  });

  test('to a person whom an operator invites', async () => {
    const who = person();
    const people = `/merchants/${merchant.merchantId}/portal-users`;
    const { data } = await operator.post(`${people}/invite`, who);
    expect(data.mailed).toBe(true);
    expect(mailTo(mailServer, who.email).body).toContain(data.link);
  });

  test('to a person who gets a recovery link, from an admin or an operator', async () => {
    const who = person();
    const invited = await admin.data('POST', '/people', who);
    await accept(invited.link);
    mailServer.mails.length = 0;
    const made = await admin.data('POST', `/people/${invited.portalUserId}/recovery-link`);
    expect(made.mailed).toBe(true);
    const mail = mailTo(mailServer, who.email);
    expect(mail.body.split(/\s+/)).toContain(made.link);
    expect(mail.headers).toMatch(/^Subject: A new password for the portal/m);
    mailServer.mails.length = 0;
    const again = await operator.post(`/portal-users/${invited.portalUserId}/recovery-link`);
    expect(again.data.mailed).toBe(true);
    expect(mailTo(mailServer, who.email).body).toContain(again.data.link);
    expect((await accept(made.link)).status).not.toBe(200);
    expect((await accept(again.data.link)).status).toBe(200);
  });

  test('in plain text, and no name can add a header or an address', async () => {
    const who = person();
    await inviteAt(service, who);
    const { headers, to } = mailTo(mailServer, who.email);
    expect(to).toEqual([who.email]);
    const names = headers.replaceAll(/\r\n[ \t]/g, ' ').match(/^[\w-]+(?=:)/gm);
    expect(names?.map((name) => name.toLowerCase()).toSorted()).toEqual([
      'auto-submitted',
      'content-transfer-encoding',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ]);
    expect(headers).toMatch(/^Content-Type: text\/plain; charset=utf-8/m);
  });
});

test('without an address nothing is mailed, and the link is shown', async () => {
  const before = mailServer.mails.length;
  const { email: _, ...who } = person();
  const { link, mailed } = await admin.data('POST', '/people', who);
  expect([mailed, mailServer.mails.length]).toEqual([false, before]);
  expect((await accept(link)).status).toBe(200);
});

describe('a mail that is not taken', () => {
  const failed = async (at: Service) =>
    (await scrape(at)).value('munshi_mails_total', { outcome: 'failed' }) as number;

  test('stops nothing: the answer says so, the link works, and it is counted', async () => {
    const before = await failed(service);
    const sentBefore = (await scrape(service)).value('munshi_mails_total', { outcome: 'sent' });
    await mailServer.close();
    const who = person();
    const { link, mailed } = await inviteAt(service, who);
    expect(mailed).toBe(false);
    expect((await accept(link)).status).toBe(200);
    expect(await failed(service)).toBe(before + 1);

    mailServer = await startMailServer({}, port);
    expect((await inviteAt(service, person())).mailed).toBe(true);
    const sent = (await scrape(service)).value('munshi_mails_total', { outcome: 'sent' });
    expect(sent).toBe((sentBefore as number) + 1);
  });

  test('in the time that it has: one that nobody waits for has longer', async () => {
    const slow = await startMailServer({
      onData(stream, _session, done) {
        stream.resume().on('end', () => pace(500).then(() => done())); // pace: it checks the mail
      },
    });
    closing.push(() => slow.close());
    const { mail, log } = (await processWith({ SMTP_URL: urlOf(slow.port), MAIL_FROM })).app.deps;
    const letter = { to: 'ops@shop.example', subject: 'Test', text: 'Test' };
    expect(await sendMail({ mail, log }, { ...letter, withinMs: 100 })).toBe(false);
    expect(await sendMail({ mail, log }, { ...letter, withinMs: 12_000 })).toBe(true);
  });

  test('because of a wrong password, or of an address that the server refuses: the log names neither', async () => {
    const lines: string[] = [];
    const refusing = await startMailServer({
      onRcptTo: ({ address }, _session, done) => done(new Error(`no such mailbox: ${address}`)),
    });
    closing.push(() => refusing.close());
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
    const wrong = [
      ['EAUTH', urlOf(port, { password: 'another' })],
      ['EENVELOPE', urlOf(refusing.port)],
    ] as const;
    for (const [code, SMTP_URL] of wrong) {
      const env = { PORT: '0', ROLES: 'http', CLOCK: 'sandbox', MASTER_KEY, SMTP_URL, MAIL_FROM };
      const config = { ...readConfig(env), masterKey: MASTER_KEY };
      const app = await createApp(config, service.database, log);
      closing.push(() => app.close());
      const url = await app.listen();
      const who = person();
      const { link, mailed } = await inviteAt({ ...service, url }, who);
      expect(mailed).toBe(false);
      expect((await accept(link)).status).toBe(200);
      const failures = lines.filter((line) => line.includes('a mail could not be sent'));
      expect(failures.at(-1)).toContain(`"code":"${code}"`);
      const said = lines.join('');
      for (const hidden of [who.email, link, link.split('#')[1] as string, 'another'])
        expect(said).not.toContain(hidden);
    }
    expect(refusing.mails).toEqual([]);
  });

  // Each is waited for until it is abandoned: together.
  test.concurrent.for([
    ['does not say a word', { onConnect: () => {} }],
    ['falls silent in the middle', { onData: (stream) => stream.resume() }],
  ] as const satisfies readonly (readonly [string, SMTPServerOptions])[])(
    'because the server %s: the link is answered all the same',
    async ([, options], { expect }) => {
      const silent = await startMailServer(options);
      closing.push(() => silent.close());
      const at = await processWith({ SMTP_URL: urlOf(silent.port), MAIL_FROM });
      const { link, mailed } = await inviteAt(at, person());
      expect(mailed).toBe(false);
      expect((await accept(link)).status).toBe(200);
    },
  );
});

describe('over TLS', () => {
  /** This machine, by an address that the settings do not recognise as its own. */
  const ELSEWHERE = '[::ffff:127.0.0.1]';
  const [key, cert] = ['key', 'certificate'].map((part) =>
    readFileSync(path.join(ROOT, `tests/support/tls/localhost-${part}.pem`), 'utf8'),
  ) as [string, string];

  test.for([
    ['smtps', true, 'localhost'],
    ['smtp', false, ELSEWHERE],
  ] as const)(
    'by %s a mail goes to a server with a certificate that is trusted, and to no other',
    async ([scheme, secure, host]) => {
      const tls = await startMailServer({
        ...{ secure, disabledCommands: [], allowInsecureAuth: false },
        ...{ key, cert },
      });
      closing.push(() => tls.close());
      const at = await processWith({ SMTP_URL: urlOf(tls.port, { scheme, host }), MAIL_FROM });
      const stranger = await inviteAt(at, person());
      expect([stranger.mailed, tls.mails]).toEqual([false, []]);

      const before = getCACertificates('default');
      setDefaultCACertificates([...before, cert]);
      try {
        const who = person();
        const { link, mailed } = await inviteAt(at, who);
        expect(mailed).toBe(true);
        const mail = mailTo(tls, who.email);
        expect(mail.encrypted).toBe(true);
        expect(mail.body).toContain(link);
      } finally {
        setDefaultCACertificates(before);
      }
    },
  );

  test('alone: another machine that offers none gets no password and no mail', async () => {
    let asked = 0;
    const plain = await startMailServer({
      onAuth(_auth, _session, done) {
        asked += 1;
        done(null, { user: 'anybody' });
      },
    });
    closing.push(() => plain.close());
    const at = await processWith({ SMTP_URL: urlOf(plain.port, { host: ELSEWHERE }), MAIL_FROM });
    expect((await inviteAt(at, person())).mailed).toBe(false);
    expect([asked, plain.mails]).toEqual([0, []]);
  });
});

// Last, because it moves the clock: the sign-ins above end.
describe('mails hold nothing that their sender has chosen, and are few', () => {
  const LURE = 'wallet-locked';
  /** A merchant of its own, with an admin of that name. */
  async function shop() {
    const own = await createMerchant(service, { name: 'Lahore Books' });
    const user = await createPortalUser(service, own, 'admin');
    return { own, user, client: portalClient(service, user.token) };
  }
  const mailsTo = (email: string) => mailServer.mails.filter(({ to }) => to.includes(email));

  test('neither an invitation nor a recovery link says a name, a username or an address of theirs', async () => {
    const { client } = await shop();
    const email = `${randomUUID()}@shop.example`;
    const { data: people } = (await client.call('GET', '/people')).json;
    const [own] = people as { portalUserId: string }[];
    await client.data('PATCH', `/people/${own?.portalUserId}`, { name: `Your ${LURE}` });
    const who = {
      username: `${LURE}-${randomUUID()}`,
      name: `Open ${LURE}`,
      role: 'viewer',
      email,
    };
    const { link, portalUserId } = await client.data('POST', '/people', who);
    await accept(link);
    expect((await client.data('POST', `/people/${portalUserId}/recovery-link`)).mailed).toBe(true);
    expect(mailsTo(email)).toHaveLength(2);
    for (const { headers, body } of mailsTo(email)) expect(headers + body).not.toContain(LURE);
  });

  test.for([
    'Your wallet is locked. Open https://evil.example/x',
    'evil.example',
    'write to me@evil.example',
    'Ali\u202ekcol',
    'Ali\nKhan',
    'A'.repeat(61),
  ])('no face accepts %j as the name of a person', async (name) => {
    const { client } = await shop();
    const role = 'viewer';
    const username = `named-${randomUUID()}`;
    const refused = [
      await client.call('POST', '/people', { username, name, role }),
      await operator.post('/operators', { username, name, role }),
      await operator.post('/members', { username, name, password: PORTAL_PASSWORD }),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(400);
      expect(Object.keys(('json' in answer ? answer.json : answer).errors)).toEqual(['$.name']);
    }
  });

  test('a merchant has 20 mailed within a day, over all processes and however many at once', async () => {
    const { user, client } = await shop();
    const other = await processWith({ SMTP_URL: urlOf(port), MAIL_FROM });
    const elsewhere = portalClient(other, user.token);
    const made = await Promise.all(
      Array.from({ length: 26 }, (_, at) =>
        (at % 2 === 0 ? client : elsewhere).data('POST', '/people', person()),
      ),
    );
    expect(made.filter(({ mailed }) => mailed)).toHaveLength(20);
    // A link that is not mailed can be handed over.
    const [unmailed] = made.filter(({ mailed }) => !mailed);
    expect((await accept(unmailed?.link)).status).toBe(200);
  });

  test('a mailbox gets three within a day, whichever merchants send them and however it is written', async () => {
    const name = randomUUID();
    const addresses = [
      `${name}@box.example`,
      `${name.toUpperCase()}@box.example`,
      `${name}+x@box.example`,
      `${name}+y@box.example`,
    ];
    const mailed: boolean[] = [];
    for (const email of addresses) {
      const { client } = await shop();
      mailed.push((await client.data('POST', '/people', { ...person(), email })).mailed);
    }
    expect(mailed).toEqual([true, true, true, false]);
    await advance(service, 24 * 3_600);
    const { client } = await shop();
    const later = { ...person(), email: addresses[0] };
    expect((await client.data('POST', '/people', later)).mailed).toBe(true);
  });

  test('tests of alerts count too', async () => {
    const { client } = await shop();
    const email = `${randomUUID()}@box.example`;
    await client.data('PATCH', '/alert-settings', { alertEmails: [email] });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at += 1)
      statuses.push((await client.call('POST', '/alerts/test')).status);
    expect(statuses).toEqual([200, 200, 200, 409]);
    await expect.poll(() => mailsTo(email).length).toBe(3);
  });
});

test('the doctor says whether the server takes the password, and sends nothing', async () => {
  const before = mailServer.mails.length;
  const examine = async (SMTP_URL: string) => {
    const { exited, said } = listenTo(
      process.execPath,
      [path.join(ROOT, 'bin/munshi.ts'), 'doctor', '--json'],
      {
        cwd: ROOT,
        env: {
          ...bareEnvironment(),
          ...{ DATABASE_URL: databaseUrl(service.target), MASTER_KEY, SMTP_URL, MAIL_FROM },
        },
      },
    );
    await exited;
    const { findings } = JSON.parse(said());
    return findings.find(({ check }: { check: string }) => check === 'mail');
  };
  expect(await examine(urlOf(port))).toMatchObject({ state: 'ok' });
  const wrong = await examine(urlOf(port, { password: 'another' }));
  expect(wrong).toMatchObject({ state: 'wrong', found: expect.stringContaining('535') });
  expect(JSON.stringify(wrong)).not.toContain('another');
  expect(mailServer.mails.length).toBe(before);
});
