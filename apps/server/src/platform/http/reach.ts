import type { FastifyInstance } from 'fastify';
import { createCallerAddress } from './caller.ts';
import type { PlatformDeps } from './deps.ts';

/** What a process says to `munshi doctor` of a request that reached it. */
export interface Reached {
  /** That it has a master key of the asker's. */
  readonly proof: string;
  /** The address on the other end of the connection. */
  readonly peer: string;
  /** Whom the process takes for the caller, by TRUSTED_PROXIES. */
  readonly caller: string;
  /** X-Forwarded-For as it arrived; null without one. */
  readonly forwardedFor: string | null;
}

/** A question is good for so long, by the clocks of both. */
const FRESH_MS = 300_000;

export const askedText = (at: string, nonce: string) => `ask ${at} ${nonce}`;
export const answeredText = (at: string, nonce: string) => `answer ${at} ${nonce}`;

/**
 * `/reach?at=<ms>&nonce=<hex>&proof=<hex>`: answers how a request came here to callers with the
 * master key; for all others it does not exist (operate/install.md#the-doctor).
 */
export function reachRoute(
  app: FastifyInstance,
  { vault, trustedProxies, clock }: PlatformDeps,
): void {
  const callerAddress = createCallerAddress(trustedProxies);
  app.get('/reach', { schema: { hide: true } as never }, async (request, reply) => {
    const { at, nonce, proof } = request.query as Readonly<Record<string, unknown>>;
    const known =
      isText(at) && isText(nonce) && isText(proof)
        ? vault.provenBy(askedText(at, nonce), proof)
        : undefined;
    if (known === undefined || !(Math.abs(Number(at) - clock.now()) < FRESH_MS))
      return reply.callNotFound();
    const { 'x-forwarded-for': forwarded } = request.headers;
    const reached: Reached = {
      proof: known(answeredText(at as string, nonce as string)),
      peer: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
      caller: callerAddress(request.raw),
      forwardedFor: forwarded === undefined ? null : String(forwarded),
    };
    return reply.send(reached);
  });
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length < 200;
