import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * A signing secret as it lies in the database: AES-256-GCM under the master key that its key id
 * names.
 */
export interface SealedSecret {
  readonly sealed: Buffer;
  readonly sealKeyId: string;
}

/** Whose secret it is: a seal opens in the row that it was made for, and in no other. */
export interface SecretOwner {
  readonly merchantId: string;
  readonly keyId: string;
}

/** In a list of link keys: the one that follows from the master key. */
export const DERIVED_LINK_KEY = 'derived';

/** Sealed secrets, and the signatures of payment links. */
export interface Vault {
  /** Under the first master key, whose id is `sealKeyId`. */
  seal(secret: string, owner: SecretOwner): SealedSecret;
  readonly sealKeyId: string;
  /** Of every master key, the first one first. */
  readonly sealKeyIds: readonly string[];
  /**
   * 64 hex characters that follow from each master key and reveal nothing of it, the first one first:
   * by these a database knows its key again.
   */
  readonly checkValues: readonly [string, ...string[]];
  /**
   * Throws when the secret was sealed under a master key that is not listed, for another API key,
   * or before seals had an owner.
   */
  open(sealed: SealedSecret & SecretOwner): string;
  /** Also opens secrets sealed before seals had an owner: only for sealing them again. */
  openToReseal(sealed: SealedSecret & SecretOwner): string;
  /**
   * The token of a payment page link: base64url HMAC over the order's id and its expiry in Unix
   * seconds, under the first link key.
   */
  linkToken(orderId: string, expires: number): string;
  /**
   * HMACs of a request, under each of the master keys: what an Idempotency-Key is bound to. It may
   * hold a password.
   */
  requestDigests(text: string): readonly Buffer[];
  /**
   * HMACs of a text in hex, under each of the master keys: by these a process and `munshi doctor`
   * know each other.
   */
  proofs(text: string): readonly string[];
  /** Proves other texts by the key that has proven this one; undefined if none has. */
  provenBy(text: string, proof: string): ((text: string) => string) | undefined;
  /**
   * Signs the webhooks of legacy keys, which have no secret of their own
   * (merchant-api.md#credentials).
   */
  readonly platformSecret: string;
  /** Whether any of the link keys made this token. Takes the same time whichever did, or none. */
  isLinkToken(token: string, orderId: string, expires: number): boolean;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Begins the key id of a seal that is bound to its owner. */
const BOUND = 'row-';
const boundTo = ({ merchantId, keyId }: SecretOwner) => Buffer.from(`${merchantId}.${keyId}`);

/** Seals made before they had an owner are `munshi reseal`'s to open. */
export const isBound = ({ sealKeyId }: Pick<SealedSecret, 'sealKeyId'>): boolean =>
  sealKeyId.startsWith(BOUND);

interface Master {
  readonly sealKey: Buffer;
  readonly sealKeyId: string;
  derive(purpose: string): Buffer;
}

function readMaster(key: string): Master {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', purpose, 32));
  const sealKey = derive('munshi signing secrets');
  return {
    sealKey,
    sealKeyId: BOUND + createHash('sha256').update(sealKey).digest('hex').slice(0, 8),
    derive,
  };
}

/**
 * `masterKeys` are 32 bytes each as 64 hex characters, separated by commas: the first seals and all
 * of them open, so that one can take over from another. Each use has a key of its own, derived by
 * HKDF. `linkKeys` are written alike, or `derived` for those that follow from the master keys: the
 * first signs payment links and all of them verify.
 */
export function createVault(
  masterKeys: string,
  linkKeys: readonly string[] = [DERIVED_LINK_KEY],
): Vault {
  const masters = masterKeys.split(',').map(readMaster) as [Master, ...Master[]];
  const [{ sealKey, sealKeyId, derive }] = masters;
  const requestKeys = masters.map((master) => master.derive('munshi request keys'));
  const proofKeys = masters.map((master) => master.derive('munshi doctor'));
  const linkHmacs = linkKeys
    .flatMap((key) =>
      key === DERIVED_LINK_KEY
        ? masters.map((master) => master.derive('munshi payment links'))
        : [Buffer.from(key, 'hex')],
    )
    .map(createHmacSha256);
  const [sign] = linkHmacs;
  if (sign === undefined) throw new Error('there is no key to sign payment links with');
  const linkText = (orderId: string, expires: number) => `${orderId}.${expires}`;
  function openWith(
    { sealed, sealKeyId: usedKeyId }: SealedSecret,
    owner: SecretOwner | undefined,
  ): string {
    const master = masters.find(
      (each) =>
        each.sealKeyId === usedKeyId ||
        (owner === undefined && each.sealKeyId === BOUND + usedKeyId),
    );
    if (master === undefined)
      throw new Error(
        `a signing secret was sealed under another MASTER_KEY (${usedKeyId}, this one is ${sealKeyId})`,
      );
    const decipher = createDecipheriv(
      'aes-256-gcm',
      master.sealKey,
      sealed.subarray(0, NONCE_BYTES),
    );
    decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    if (owner !== undefined) decipher.setAAD(boundTo(owner));
    return Buffer.concat([
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
  }
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(boundTo(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]), sealKeyId };
    },
    sealKeyId,
    sealKeyIds: masters.map((master) => master.sealKeyId),
    checkValues: masters.map((master) =>
      master.derive('munshi master key check').toString('hex'),
    ) as [string, ...string[]],
    open: (secret) => openWith(secret, secret),
    openToReseal: (secret) => openWith(secret, isBound(secret) ? secret : undefined),
    requestDigests: (text) =>
      requestKeys.map((key) => createHmac('sha256', key).update(text).digest()),
    proofs: (text) => proofKeys.map((key) => prove(key, text)),
    provenBy(text, proof) {
      const given = Buffer.from(proof);
      const key = proofKeys.find((each) => {
        const expected = Buffer.from(prove(each, text));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return key && ((other) => prove(key, other));
    },
    platformSecret: `sksec_${derive('munshi platform webhook secret').toString('hex').slice(0, 40)}`,
    linkToken: (orderId, expires) => sign(linkText(orderId, expires)).toString('base64url'),
    isLinkToken(token, orderId, expires) {
      const given = Buffer.from(token);
      let known = false;
      for (const hmac of linkHmacs) {
        const expected = Buffer.from(hmac(linkText(orderId, expires)).toString('base64url'));
        known = (given.length === expected.length && timingSafeEqual(given, expected)) || known;
      }
      return known;
    },
  };
}

const prove = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('hex');

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/**
 * The links' messages are 47 characters long; longer ones than this are hashed too, in a buffer
 * made for them.
 */
const MESSAGE_BYTES_MAX = 192;

/**
 * HMAC-SHA256 under one key of 32 bytes, by two one-shot hashes (RFC 2104). Every order has a link
 * to sign: createHmac, which sets its key up each time, took 8 % of the server's processor time in
 * creations (profile of 2026-11-23, 2 cores, Node 24.21.0).
 */
function createHmacSha256(key: Buffer): (message: string) => Buffer {
  const padded = Buffer.concat([key, Buffer.alloc(BLOCK_BYTES - key.length)]);
  const inner = Buffer.concat([padded.map((byte) => byte ^ 0x36), Buffer.alloc(MESSAGE_BYTES_MAX)]);
  const outer = Buffer.concat([padded.map((byte) => byte ^ 0x5c), Buffer.alloc(DIGEST_BYTES)]);
  const withMessage = (message: string) =>
    message.length * 3 <= MESSAGE_BYTES_MAX
      ? inner.subarray(0, BLOCK_BYTES + inner.write(message, BLOCK_BYTES))
      : Buffer.concat([inner.subarray(0, BLOCK_BYTES), Buffer.from(message)]);
  return (message) => {
    outer.write(hash('sha256', withMessage(message), 'binary'), BLOCK_BYTES, 'binary');
    return hash('sha256', outer, 'buffer');
  };
}
