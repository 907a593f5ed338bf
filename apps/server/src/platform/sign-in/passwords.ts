import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2id = promisify(argon2) as (
  algorithm: 'argon2id',
  parameters: Argon2Parameters,
) => Promise<Buffer>;

/** Hashes since the start, and those that are computed or wait for a thread now. */
export const hashing = { total: 0, underWay: 0 };

async function derive(parameters: Argon2Parameters): Promise<Buffer> {
  hashing.total += 1;
  hashing.underWay += 1;
  try {
    return await argon2id('argon2id', parameters);
  } finally {
    hashing.underWay -= 1;
  }
}

/**
 * What a guess costs: 19 MiB and two passes, about 40 ms of one core (OWASP's first choice for
 * argon2id).
 */
let cost = { memory: 19_456, passes: 2, parallelism: 1 };

/** For tests, which sign in by the thousand: new hashes of this process cost next to nothing. */
export function makeHashesCheap(): void {
  cost = { memory: 64, passes: 1, parallelism: 1 };
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const ENCODED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/**
 * The hash to store: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, so that stored passwords keep working
 * when the cost is raised.
 */
export async function hashPassword(password: string): Promise<string> {
  const { memory, passes, parallelism } = cost;
  const nonce = randomBytes(SALT_BYTES);
  const key = await derive({
    memory,
    passes,
    parallelism,
    message: password.normalize('NFC'),
    nonce,
    tagLength: HASH_BYTES,
  });
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${encode(nonce)}$${encode(key)}`;
}

/**
 * The hash of a password that nobody has: what an unknown username is checked against, so that it
 * costs the same.
 */
const nobodys = hashPassword(randomBytes(32).toString('base64'));

/**
 * Whether the password is the one behind the stored hash. With null (nobody has that username, or
 * they have no password) the answer is false after the same work, so that usernames cannot be found
 * out by the time it takes.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const match = ENCODED.exec(stored ?? (await nobodys));
  if (match === null) throw new Error('a stored password hash cannot be read');
  const [, memory, passes, parallelism, salt = '', hash = ''] = match;
  const expected = Buffer.from(hash, 'base64');
  const given = await derive({
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    message: password.normalize('NFC'),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
  });
  return timingSafeEqual(given, expected) && stored !== null;
}
