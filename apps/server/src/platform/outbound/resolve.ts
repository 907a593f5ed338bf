import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';

/**
 * All addresses of a host name, both families. Throws an error with the resolver's `code` when it
 * has none.
 */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Under the five seconds of an attempt, so that a silent name server has its own error. */
const QUERY_MS = 1_500;
const TRIES = 2;
/** How long an unknown name is remembered: a thousand deliveries to it ask once. */
const ABSENT_MS = 5_000;
const ABSENT_MAX = 1_000;
const ABSENT_CODES = new Set(['ENOTFOUND', 'ENODATA']);
const HOSTS_FILE = '/etc/hosts';

const absent = (host: string) =>
  Object.assign(new Error(`${host} does not exist`), { code: 'ENOTFOUND' });

/**
 * Looks names up in the DNS. Not by `dns.lookup`: names whose servers do not answer would block its
 * thread pool. Addresses are not cached: every connection asks again. With `allowPrivate` the names
 * of this machine's hosts file count too.
 */
export function createResolver({ allowPrivate }: { readonly allowPrivate: boolean }): Resolve {
  const resolver = new dns.Resolver({ timeout: QUERY_MS, tries: TRIES });
  const asking = new Map<string, Promise<readonly string[]>>();
  const absentUntil = new Map<string, number>();

  async function ask(host: string): Promise<readonly string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length > 0) return addresses;
    const reasons = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [answer.reason as Error & { code?: string }] : [],
    );
    if (reasons.every(({ code }) => ABSENT_CODES.has(code ?? ''))) {
      if (absentUntil.size >= ABSENT_MAX) absentUntil.clear();
      absentUntil.set(host, performance.now() + ABSENT_MS);
    }
    throw reasons.find(({ code }) => !ABSENT_CODES.has(code ?? '')) ?? reasons[0] ?? absent(host);
  }

  return async (host) => {
    // Names that are never asked for in the DNS (RFC 6761, RFC 2606).
    if (/(^|\.)localhost\.?$/i.test(host)) return ['127.0.0.1', '::1'];
    const own = allowPrivate ? await fromHostsFile(host) : [];
    if (own.length > 0) return own;
    if (
      /(^|\.)(example|invalid)\.?$/i.test(host) ||
      (absentUntil.get(host) ?? 0) > performance.now()
    )
      throw absent(host);
    const pending = asking.get(host) ?? ask(host).finally(() => asking.delete(host));
    asking.set(host, pending);
    return pending;
  };
}

async function fromHostsFile(host: string): Promise<readonly string[]> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address, ...names] = (line.split('#')[0] as string).trim().split(/\s+/);
    return address !== undefined && names.some((name) => name.toLowerCase() === host)
      ? [address]
      : [];
  });
}
