import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { type AddressRules, isAllowedAddress, notPublic } from './address.ts';
import type { Resolve } from './resolve.ts';

/** The destination must not be connected to, or has no address (D48). */
export class RefusedError extends Error {}

export interface ConnectorOptions extends AddressRules {
  readonly resolve: Resolve;
  /** Certificate authorities beside those of the system; for tests. */
  readonly ca?: string | undefined;
}

/**
 * An undici connector that connects to checked addresses only. It resolves a name once and refuses
 * it if any of its addresses is not allowed. The socket is given just these addresses, and the one
 * that it reached is checked again. Undici itself resolves nothing. After `signal` no socket is
 * opened or left open.
 */
export function createConnector(
  { resolve, ca, ...rules }: ConnectorOptions,
  signal: AbortSignal,
): buildConnector.connector {
  return ({ hostname, protocol, port }, callback) => {
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

    const open = (addresses: readonly string[]) => {
      if (finished) return;
      const secure = protocol === 'https:';
      const options = {
        host: hostname,
        port: Number(port) || (secure ? 443 : 80),
        lookup: pinned(addresses),
        autoSelectFamily: true,
        noDelay: true,
      };
      const opened = secure
        ? tlsConnect({ ...options, ...tlsOptions(hostname, ca) })
        : netConnect(options);
      socket = opened;
      opened.once('connect', () => {
        const reached = opened.remoteAddress ?? 'an unknown address';
        if (!isAllowedAddress(reached, rules)) finish(new RefusedError(notPublic(reached)));
      });
      opened.once(secure ? 'secureConnect' : 'connect', () => finish(undefined));
      opened.on('error', finish);
      opened.once('close', () =>
        finish(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' })),
      );
    };
    allowedAddresses(hostname, resolve, rules).then(open, finish);
  };
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
      ? await resolve(host).catch((error: Error) => refuseUnresolved(host, error))
      : [host];
  if (addresses.length === 0) refuseUnresolved(host, new Error('no addresses'));
  const wrong = addresses.find((address) => !isAllowedAddress(address, rules));
  if (wrong !== undefined)
    throw new RefusedError(
      wrong === host
        ? notPublic(wrong)
        : `Refused: ${host} resolves to ${wrong}, which is not a public address.`,
    );
  return addresses;
}

function refuseUnresolved(host: string, error: Error & { code?: string }): never {
  throw new RefusedError(`Refused: ${host} does not resolve (${error.code ?? error.message}).`);
}

/** A lookup that returns these addresses for any name. */
const pinned =
  (addresses: readonly string[]): LookupFunction =>
  (_host, { all }, callback) => {
    const list = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) callback(null, list);
    else callback(null, list[0]?.address ?? '', list[0]?.family);
  };
