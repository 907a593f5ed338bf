import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { inBlock, parseBlock } from '@munshi/core';
import { answeredText, askedText, type Reached } from '../platform/http/reach.ts';
import { WEB_APPS, type WebApp } from '../platform/http/web.ts';
import { whyItFailed } from '../platform/outbound/failure.ts';
import type { Vault } from '../platform/vault.ts';
import type { AddressFacts, AppFacts, Unknown } from './facts.ts';

/** Of a network for examples (RFC 5737): nobody's address. */
const CLAIMED = '203.0.113.77';
const PATIENCE_MS = 5_000;

interface AddressOptions {
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly vault: Pick<Vault, 'proofs'>;
}

/** Asks the public address as anybody would: by its name, over its proxy. */
export async function lookAtAddress(options: AddressOptions): Promise<AddressFacts> {
  const url = new URL(options.publicUrl);
  const [answer, apps, tls, plainHttp] = await Promise.all([
    reach(options),
    Promise.all(WEB_APPS.map((name) => lookAtApp(options.publicUrl, name))),
    url.protocol === 'https:' ? lookAtTls(url) : undefined,
    url.protocol === 'https:' && url.port === '' ? askPlainHttp(url) : undefined,
  ]);
  return { answer, apps, tls, plainHttp };
}

async function reach({
  publicUrl,
  trustedProxies,
  vault,
}: AddressOptions): Promise<AddressFacts['answer']> {
  const [at, nonce] = [String(Date.now()), randomBytes(16).toString('hex')];
  const [proof = ''] = vault.proofs(askedText(at, nonce));
  try {
    const response = await fetch(
      `${publicUrl}/reach?${new URLSearchParams({ at, nonce, proof })}`,
      {
        headers: { 'X-Forwarded-For': CLAIMED },
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
      },
    );
    const reached = (await response.json().catch(() => ({}))) as Partial<Reached>;
    if (!vault.proofs(answeredText(at, nonce)).includes(reached.proof ?? ''))
      return { status: response.status };
    const { peer, caller, forwardedFor } = reached as Reached;
    const seen = forwardedFor?.split(',').at(-1)?.trim() ?? '';
    return {
      ...{ peer, caller, forwardedFor, claimed: CLAIMED },
      askedFromProxy:
        isIP(seen) !== 0 &&
        trustedProxies.some((text) => {
          const block = parseBlock(text);
          return block !== undefined && inBlock(seen, block);
        }),
    };
  } catch (error) {
    return why(error);
  }
}

async function lookAtApp(publicUrl: string, name: WebApp): Promise<AppFacts> {
  try {
    const { status, headers } = await fetch(`${publicUrl}/${name}/`, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const [policy, cacheControl] = ['content-security-policy', 'cache-control'].map((header) =>
      headers.get(header),
    ) as [string | null, string | null];
    return { name, answer: { status, policy, cacheControl } };
  } catch (error) {
    return { name, answer: why(error) };
  }
}

async function lookAtTls({ hostname, port }: URL): Promise<AddressFacts['tls']> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(PATIENCE_MS) });
    const validUntil = Date.parse(socket.getPeerCertificate().valid_to);
    return { protocol: socket.getProtocol() ?? 'TLS', validUntil, at: Date.now() };
  } catch (error) {
    return why(error);
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

async function askPlainHttp({ hostname }: URL): Promise<AddressFacts['plainHttp']> {
  try {
    const { status, headers } = await fetch(`http://${hostname}/`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const leadsToHttps = headers.get('location')?.startsWith('https:') === true;
    return status >= 300 && status < 400 && leadsToHttps ? 'redirects' : 'answers';
  } catch {
    return 'closed';
  }
}

/** fetch says only that it failed: the reason is the cause. */
function why(error: unknown): Unknown {
  const { cause } = error as Error;
  return { error: whyItFailed(cause instanceof Error ? cause : (error as Error), 'The server') };
}
