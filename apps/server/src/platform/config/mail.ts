import { ConfigError, type Environment, isLocalHost, settingOf } from './setting.ts';

/** Where mail is handed in, and who it is from. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** `at-once`: from the first byte; `upgraded`: by STARTTLS, which the server has to offer. */
  readonly tls: 'at-once' | 'upgraded' | 'none';
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly from: { readonly name: string; readonly address: string };
}

/** Those of RFC 8314 and RFC 6409. */
const PORTS = { 'smtp:': 587, 'smtps:': 465 };

/** Undefined where no mail is sent. Throws ConfigError, whose message never shows the password. */
export function readMail(env: Environment): MailServer | undefined {
  const [url, sender] = [settingOf(env, 'SMTP_URL'), settingOf(env, 'MAIL_FROM')];
  if (url === undefined && sender === undefined) return undefined;
  if (url === undefined)
    throw new ConfigError(
      'MAIL_FROM is set without SMTP_URL: name the server that takes the mail, or leave both out',
    );
  if (sender === undefined)
    throw new ConfigError(
      'SMTP_URL is set without MAIL_FROM: set the address that mail comes from, e.g. Munshi <munshi@example.com>',
    );
  return { ...readServer(url), from: readSender(sender) };
}

/** On this machine without TLS; to any other one never, for links are as good as passwords. */
function readServer(text: string): Omit<MailServer, 'from'> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    (url?.protocol !== 'smtp:' && url?.protocol !== 'smtps:') ||
    url.hostname === '' ||
    url.port === '0' ||
    !/^\/?$/.test(url.pathname + url.search + url.hash)
  )
    throw new ConfigError(
      'SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465, with nothing after the port. Write @ / : % # ? in a password as %40 %2F %3A %25 %23 %3F',
    );
  const host = decoded(url.hostname).replace(/^\[|\]$/g, '');
  const upgraded = isLocalHost(host) ? 'none' : 'upgraded';
  return {
    host,
    port: Number(url.port || PORTS[url.protocol]),
    tls: url.protocol === 'smtps:' ? 'at-once' : upgraded,
    login: readLogin(decoded(url.username), decoded(url.password)),
  };
}

function readLogin(user: string, password: string): MailServer['login'] {
  if (user === '' && password === '') return undefined;
  if (user === '' || password === '')
    throw new ConfigError('SMTP_URL must have a user and a password, or neither');
  return { user, password };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConfigError(
      'SMTP_URL has a % that two hex digits do not follow: write it in a password as %25',
    );
  }
}

const ADDRESS = String.raw`[^\s<>()[\]:;@\\,"]+@[^\s<>()[\]:;@\\,"]+`;
const SENDER = new RegExp(String.raw`^(?:([^<>"\p{Cc}]*)<(${ADDRESS})>|(${ADDRESS}))$`, 'u');

function readSender(text: string): MailServer['from'] {
  const [, name = '', named, plain] = SENDER.exec(text) ?? [];
  const address = named ?? plain;
  if (address === undefined)
    throw new ConfigError(
      `MAIL_FROM must be an e-mail address, as in munshi@example.com or Munshi <munshi@example.com>; it is "${text}"`,
    );
  return { name: name.trim(), address };
}

/** Where merchants’ people write to; undefined: nowhere. */
export function readSupportEmail(env: Environment): string | undefined {
  const address = settingOf(env, 'SUPPORT_EMAIL');
  if (address !== undefined && !new RegExp(`^${ADDRESS}$`).test(address))
    throw new ConfigError(
      `SUPPORT_EMAIL must be an e-mail address alone, as in support@example.com; it is "${address}"`,
    );
  return address;
}
