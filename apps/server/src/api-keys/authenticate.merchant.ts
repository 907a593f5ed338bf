import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Deps } from '../people/deps.ts';
import { BoundedMap } from '../platform/bounded-map.ts';
import type { ApiKeyReader } from './store.ts';

/**
 * An API key that was active when last looked at. The statement that acts on it checks again
 * (merchant-api.md#authentication).
 */
export interface Credential {
  readonly apiKeyHash: string;
  readonly keyId: string;
  readonly merchantId: string;
  /** Null on legacy keys: no order signature of theirs is valid. */
  readonly signingSecret: string | null;
}

export interface Authenticator {
  /**
   * The SHA-256 of the key in the request's headers, in hex; undefined when there is none of the
   * right form.
   */
  keyHash(request: IncomingMessage): string | undefined;
  /** The credential behind it from memory. */
  known(apiKeyHash: string): Credential | undefined;
  /** The credential behind it; undefined when the key is unknown or revoked. */
  find(apiKeyHash: string): Promise<Credential | undefined>;
  /** Asks the database again: a key known from memory may have been revoked. */
  isActive(apiKeyHash: string): Promise<boolean>;
}

/**
 * Keys kept in memory: enough for every merchant of a large installation, bounded for everybody.
 */
const REMEMBERED_MAX = 50_000;

export function createAuthenticator({
  readers,
  vault,
}: Pick<Deps, 'vault'> & { readonly readers: ApiKeyReader }): Authenticator {
  const remembered = new BoundedMap<string, Credential>(REMEMBERED_MAX);

  async function look(apiKeyHash: string): Promise<Credential | undefined> {
    const found = await readers.apiKey(apiKeyHash);
    if (found === 'key-not-active') {
      remembered.delete(apiKeyHash);
      return undefined;
    }
    const { keyId, merchantId, sealedSecret, sealKeyId } = found;
    const signingSecret =
      sealedSecret === null || sealKeyId === null
        ? null
        : vault.open({ merchantId, keyId, sealed: sealedSecret, sealKeyId });
    const credential: Credential = { apiKeyHash, keyId, merchantId, signingSecret };
    remembered.set(apiKeyHash, credential);
    return credential;
  }

  return {
    keyHash(request) {
      const key = readKey(request);
      return key === undefined ? undefined : hash('sha256', key);
    },
    known: (apiKeyHash) => remembered.get(apiKeyHash),
    find: look,
    isActive: async (apiKeyHash) => (await look(apiKeyHash)) !== undefined,
  };
}

/**
 * `SVC-API-Key`, or `Authorization: Bearer` if the first is absent or empty
 * (merchant-api.md#authentication, merchant-api.md#messages-of-order-creation).
 */
function readKey({ headers }: IncomingMessage): string | undefined {
  const own = headers['svc-api-key'];
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
  const key = own === undefined || own === '' ? bearer : String(own);
  return key?.startsWith('mk_') ? key : undefined;
}
