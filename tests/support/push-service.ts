import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A push that has come to a phone, decrypted there. */
export interface Pushed {
  readonly phone: number;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly payload: any;
}

/** A phone with its subscription at this push service. */
export interface Phone {
  /** What the browser's PushSubscription.toJSON() says. */
  readonly subscription: {
    readonly endpoint: string;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
}

/**
 * A push service on 127.0.0.1 with the phones behind it: it checks who sends (RFC 8292) and
 * decrypts what comes as a browser does (RFC 8291). Pushes that fail either are answered 403.
 */
export interface PushService {
  phone(): Phone;
  readonly pushed: readonly Pushed[];
  /** Resolves when so many pushes have come in all. */
  arrived(count: number): Promise<readonly Pushed[]>;
  /** Answers every push with this status from now on, 201 at first. */
  answer(status: number): void;
  close(): Promise<void>;
}

interface BrowserKeys {
  readonly ecdh: ECDH;
  readonly auth: Buffer;
}

/** `applicationServerKey` is what the phones are subscribed with. */
export async function startPushService(applicationServerKey: string): Promise<PushService> {
  const phones: BrowserKeys[] = [];
  const pushed: Pushed[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let status = 201;

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const phone = Number(request.url?.slice(1));
    try {
      checkSender(request.headers.authorization, applicationServerKey, request.headers.host ?? '');
      const text = decrypt(Buffer.concat(chunks), phones[phone] as BrowserKeys);
      if (status === 201)
        pushed.push({ phone, headers: request.headers, payload: JSON.parse(text) });
      response.writeHead(status).end();
    } catch (error) {
      response.writeHead(403).end(String(error));
    }
    for (const waiter of waiting) if (pushed.length >= waiter.count) waiter.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    phone() {
      const ecdh = createECDH('prime256v1');
      const p256dh = ecdh.generateKeys().toString('base64url');
      const auth = randomBytes(16);
      const endpoint = `http://127.0.0.1:${port}/${phones.push({ ecdh, auth }) - 1}`;
      return { subscription: { endpoint, keys: { p256dh, auth: auth.toString('base64url') } } };
    },
    pushed,
    arrived: (count) =>
      new Promise((resolve) => {
        if (pushed.length >= count) resolve(pushed);
        else waiting.push({ count, resolve: () => resolve(pushed) });
      }),
    answer(next) {
      status = next;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The JWT of the application server, by the key that the phones are subscribed with. */
function checkSender(
  authorization: string | undefined,
  applicationServerKey: string,
  host: string,
) {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization ?? '') ?? [];
  if (key !== applicationServerKey) throw new Error('another application server');
  const [header, claims, signature] = token.split('.') as [string, string, string];
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const signed = Buffer.from(`${header}.${claims}`);
  const given = Buffer.from(signature, 'base64url');
  if (!verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, given))
    throw new Error('the signature is wrong');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  if (aud !== `http://${host}` || exp * 1000 < Date.now() || !/^(mailto|https):/.test(sub))
    throw new Error('the claims are wrong');
}

/** RFC 8188 with the keys of RFC 8291; one record. */
function decrypt(body: Buffer, { ecdh, auth }: BrowserKeys): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const input = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32));
  const derive = (what: string, length: number) =>
    Buffer.from(
      hkdfSync('sha256', input, salt, Buffer.from(`Content-Encoding: ${what}\0`), length),
    );
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
