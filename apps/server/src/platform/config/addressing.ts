import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Config, isLocalHost } from '../config.ts';

type Address = Pick<Config, 'publicUrl' | 'host'>;

/** How browsers reach the service, as faces need to know it. */
export const addressing = (config: Address, http: FastifyInstance) => ({
  pageOrigin: createOrigin(config, http),
  secureCookies: !isOnThisMachine(config),
  pathPrefix: pathPrefixOf(config),
});

/** The path of PUBLIC_URL, without a slash at its end. */
export const pathPrefixOf = ({ publicUrl }: Pick<Address, 'publicUrl'>): string =>
  publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

/** The address that the server listens on. */
export function addressOf(http: FastifyInstance): string {
  const { address, family, port } = http.server.address() as AddressInfo;
  if (address === '0.0.0.0' || address === '::') return `http://localhost:${port}`;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Base of links to the service: as it is set, else the address listened on, once it is known. */
function createOrigin({ publicUrl }: Address, http: FastifyInstance) {
  let origin = publicUrl;
  return () => {
    if (origin === undefined && http.server.listening) origin = addressOf(http);
    return origin ?? '';
  };
}

/**
 * Whether browsers come by plain HTTP and never leave the machine: by PUBLIC_URL, or else by the
 * address listened on.
 */
function isOnThisMachine({ publicUrl, host }: Address): boolean {
  if (publicUrl === undefined) return isLocalHost(host);
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'http:' && isLocalHost(hostname);
}
