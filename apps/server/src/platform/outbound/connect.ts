import { isIP, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { afterReading } from '../observe/event-loop.ts';
import { type AddressRules, isAllowedAddress, notPublic } from './address.ts';
import type { Resolve } from './resolve.ts';

/** The destination must not be connected to, or has no address (decision 14). */
export class RefusedError extends Error {}

export interface ConnectorOptions extends AddressRules {
  readonly resolve: Resolve;
  /** Certificate authorities beside those of the system; for tests. */
  readonly ca?: string | undefined;
}

/** How long one address may take to be reached, if there are others. */
const ADDRESS_MS = 250;

/**
 * An undici connector that connects to checked addresses only. It resolves a name once and refuses
 * it if any of its addresses is not allowed. Only these are connected to, in turn until one is
 * reached, and that one is checked again. Undici itself resolves nothing. After `signal` no socket
 * is opened or left open.
 */
export function createConnector(
  { resolve, ca, ...rules }: ConnectorOptions,
  signal: AbortSignal,
): buildConnector.connector {
  return ({ hostname, protocol, port }, callback) => {
    const secure = protocol === 'https:';
    let socket: Socket | undefined;
    let finished = false;
    const finish = (error: Error | undefined) => {
      if (finished) return;
      finished = true;
      signal.removeEventListener('abort', giveUp);
      if (error === undefined && socket !== undefined) return callback(null, socket);
      socket?.destroy();
      callback(error ?? new Error('not connected'), null);
    };
    const giveUp = () => finish(signal.reason as Error);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp);

    const open = (host: string) => {
      const options = { host, port: Number(port) || (secure ? 443 : 80), noDelay: true };
      return secure ? tlsConnect({ ...options, ...tlsOptions(hostname, ca) }) : netConnect(options);
    };

    function connectTo([address, ...others]: readonly string[], firstError?: Error) {
      if (finished || address === undefined) return;
      const opened = open(address);
      socket = opened;
      let reached = false;
      const cancelTimer =
        others.length > 0
          ? afterReading(ADDRESS_MS, () =>
              fail(codedError('The address was not reached in time.', 'ETIMEDOUT')),
            )
          : none;
      const fail = (error: Error) => {
        cancelTimer();
        if (socket !== opened) return; // another address has its turn
        if (reached || others.length === 0) return finish(firstError ?? error);
        opened.destroy();
        connectTo(others, firstError ?? error);
      };
      opened.once('connect', () => {
        cancelTimer();
        reached = true;
        firstError = undefined;
        const address = opened.remoteAddress ?? 'an unknown address';
        if (!isAllowedAddress(address, rules)) finish(refusedHost(hostname));
      });
      opened.once(secure ? 'secureConnect' : 'connect', () => finish(undefined));
      opened.on('error', fail);
      opened.once('close', () => fail(codedError('The connection was closed.', 'ECONNRESET')));
    }
    allowedAddresses(hostname, resolve, rules).then(
      (addresses) => connectTo(alternating(addresses)),
      finish,
    );
  };
}

const none = () => {};
const codedError = (message: string, code: string) => Object.assign(new Error(message), { code });

/** Both families by turns: one of them may lead nowhere. */
function alternating(addresses: readonly string[]): readonly string[] {
  const families = [4, 6].map((family) => addresses.filter((address) => isIP(address) === family));
  return addresses.flatMap((_, at) => families.flatMap((family) => family.slice(at, at + 1)));
}

const tlsOptions = (hostname: string, ca: string | undefined) => ({
  ...(isIP(hostname) === 0 && { servername: hostname }),
  ...(ca !== undefined && { ca }),
  ALPNProtocols: ['http/1.1'],
  rejectUnauthorized: true,
});

/** The addresses of a host. Throws RefusedError unless every one of them is allowed. */
async function allowedAddresses(
  host: string,
  resolve: Resolve,
  rules: AddressRules,
): Promise<readonly string[]> {
  const addresses =
    isIP(host) === 0
      ? await resolve(host).catch(() => {
          throw refusedHost(host);
        })
      : [host];
  if (addresses.length === 0 || !addresses.every((address) => isAllowedAddress(address, rules)))
    throw refusedHost(host);
  return addresses;
}

/**
 * One text for a name without addresses and one with private ones: the person who chooses the URL
 * must not learn which internal names there are, and where they lead.
 */
const refusedHost = (host: string): RefusedError =>
  new RefusedError(
    isIP(host) === 0
      ? `Refused: ${host} does not resolve to public addresses alone.`
      : notPublic(host),
  );
