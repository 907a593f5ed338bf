import { createHmac } from 'node:crypto';
import { advance } from './fixtures.ts';
import type { MemberClient } from './member-client.ts';
import { createOperator, operatorClient } from './operator-client.ts';
import { PORTAL_PASSWORD } from './portal.ts';
import type { Service } from './service.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows for a secret, by RFC 6238 and by itself. */
export function codeAt(secret: string, ms: number): string {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'));
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / 30_000)));
  const hmac = createHmac('sha1', key).update(counter).digest();
  const offset = (hmac.at(-1) ?? 0) & 15;
  const number = hmac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** An operator with one-time codes, signed in, whose present code was not used by anybody yet. */
export async function withCodes(service: Service, role: 'viewer' | 'support' | 'admin') {
  const operator = await createOperator(service, role);
  const { username, password } = operator;
  const { clock } = service.app.deps;
  const { data: session } = await operatorClient(service).post('/session', { username, password });
  const own = operatorClient(service, session.token);
  const { data } = await own.post('/one-time-code', { currentPassword: password });
  const secret: string = data.secret;
  const code = () => codeAt(secret, clock.now());
  const confirmed = await own.post('/one-time-code/confirm', { oneTimeCode: code() });
  const recoveryCodes: readonly string[] = confirmed.data.recoveryCodes;
  await nextCode(service);
  return { operator, own, secret, recoveryCodes, code };
}

/** Turns one-time codes of somebody of a merchant on, and answers what makes the present one. */
export async function withPortalCodes(service: Service, client: MemberClient) {
  const { clock } = service.app.deps;
  const body = { currentPassword: PORTAL_PASSWORD };
  const { secret } = await client.data('POST', '/one-time-code', body);
  const code = () => codeAt(secret, clock.now());
  const confirmed = await client.data('POST', '/one-time-code/confirm', { oneTimeCode: code() });
  await nextCode(service);
  return { code, recoveryCodes: confirmed.recoveryCodes as readonly string[] };
}

/** Goes on until the app shows another code: each is good once. */
export const nextCode = (service: Service): Promise<void> => advance(service, 30);
