import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export const MAIL_USER = 'munshi';
export const MAIL_PASSWORD = 'p@ss/word';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly encrypted: boolean;
  readonly headers: string;
  readonly body: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  close(): Promise<void>;
}

/** A mail server that takes one password, and every mail of a sender who knows it. */
export async function startMailServer(
  options: SMTPServerOptions = {},
  port = 0,
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
      const known = username === MAIL_USER && password === MAIL_PASSWORD;
      done(known ? null : new Error('who is this?'), known ? { user: username } : undefined);
    },
    async onData(stream, { envelope, secure }, done) {
      const [headers = '', ...rest] = (await text(stream)).split('\r\n\r\n');
      mails.push({
        from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        to: envelope.rcptTo.map(({ address }) => address),
        encrypted: secure,
        headers,
        body: decoded(rest.join('\r\n\r\n')),
      });
      done();
    },
    ...options,
  });
  server.on('error', () => {}); // of connections that do not like its certificate
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Of quoted-printable. */
function decoded(body: string): string {
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString();
}
