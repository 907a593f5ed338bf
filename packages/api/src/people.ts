import type { AuditAction } from '@munshi/core';
import Type, { type TObject, type TProperties } from 'typebox';
import type { Code } from './contract/codes.ts';
import { ASKS, one, TAKES_AWAY } from './contract/decider.ts';
import { type Endpoint, type FaceName, face, type Needs, type Shown } from './contract/endpoint.ts';
import {
  dataOf,
  listOf,
  namedEnum,
  namedObject,
  optional,
  orNull,
  PAGE_QUERY,
  PASSWORD,
  strictObject,
  time,
} from './contract/schemas.ts';

/**
 * One's own sign-in: session, password, sign-ins, one-time codes (TOTP, RFC 6238) and links to
 * choose a password by. Each face with people has these endpoints.
 */

type PersonFace = Exclude<FaceName, 'page'>;

/** What a face says of its own people. */
interface Person<Fields extends TProperties, Credentials extends TObject> {
  readonly needs: Needs[PersonFace];
  readonly credentials: Credentials;
  /** What a session shows beside its anti-forgery token and its end. */
  readonly fields: Fields;
  /** What `GET /session` answers, in words. */
  readonly shows: string;
  readonly signedInFor: string;
  /** What a change of the password ends. */
  readonly ends: string;
  readonly recovery: { readonly read: string; readonly use: string; readonly also?: string };
  readonly audit: {
    readonly signIn: readonly AuditAction[];
    readonly password: AuditAction;
    readonly recover: readonly AuditAction[];
  };
  readonly signOut?: { readonly description?: string; readonly refusals?: readonly Code[] };
}

/** An endpoint of any of the faces. */
type OnFace<E> = Omit<E, 'face' | 'needs'> & Pick<Endpoint, 'face' | 'needs'>;
type OnFaces<Endpoints> = { readonly [Name in keyof Endpoints]: OnFace<Endpoints[Name]> };

/** A face's definitions; their types are those of the portal. */
const definitionsOf = (name: PersonFace, common: readonly Code[]) => face(name as 'portal', common);

export const ONE_TIME_CODE = Type.String({
  maxLength: 40,
  description: 'Six digits of one’s app, or one of one’s recovery codes.',
});
const CREDENTIALS = {
  username: Type.String({ maxLength: 100 }),
  password: Type.String({ maxLength: 200 }),
};
/** Who signs in with a password alone. */
export const BY_PASSWORD = strictObject(CREDENTIALS);
/** Who may have one-time codes. */
export const BY_PASSWORD_AND_CODE = strictObject({
  ...CREDENTIALS,
  oneTimeCode: optional(ONE_TIME_CODE),
});

/** What a signed-in person sees of their session. */
const SESSION_FIELDS = {
  csrfToken: orNull(
    Type.String({ description: 'To be sent as `X-CSRF-Token` with every write by cookie.' }),
  ),
  expiresAt: orNull(time),
};
/** Of the console and the portal. */
export const SIGNED_IN_FOR =
  'Signed in for 12 hours, or until nobody has asked for anything for 30 minutes.';
export const SignInPlace = namedObject('TimeAndAddress', { at: time, address: Type.String() });

export type SignInView = Shown<typeof SignInView>;
const SignInView = namedObject('SignIn', {
  sessionId: Type.String(),
  current: Type.Boolean({ description: 'This request has come by it.' }),
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
  address: orNull(Type.String()),
  userAgent: orNull(Type.String()),
});
export const SignInsEnded = namedObject('SignInsEnded', { ended: Type.Integer() });

/** What somebody goes on with who has changed their password. */
const RENEWED = namedObject('RenewedSession', {
  token: Type.String({
    description: 'The new session, for scripts; a browser has it in its cookie.',
  }),
  csrfToken: Type.String({
    description: 'To be sent as `X-CSRF-Token` with every write by cookie.',
  }),
  expiresAt: time,
});

const LINK_TOKEN = Type.String({
  minLength: 20,
  maxLength: 100,
  description: 'What stands behind `#` in the link.',
});
const RecoveryView = namedObject('Recovery', {
  username: Type.String(),
  name: Type.String(),
  expiresAt: time,
  invitation: Type.Boolean({ description: 'It gives the first password, in the portal.' }),
});

/** What somebody's role allows. `all`: each with what it is about. */
export const capabilities = <Name extends string>(
  schemaName: string,
  all: Readonly<Record<Name, string>>,
) =>
  Type.Array(
    namedEnum(
      schemaName,
      Object.keys(all) as Name[],
      Object.entries(all)
        .map(([name, about]) => `\`${name}\`: ${about}`)
        .join(' '),
    ),
    { description: 'What the role allows.' },
  );

export function ownSignIn<Fields extends TProperties, Credentials extends TObject>(
  name: PersonFace,
  common: readonly Code[],
  { fields, credentials, signOut, ...person }: Person<Fields, Credentials>,
) {
  const { endpoint, write } = definitionsOf(name, common)('Session');
  const needs = person.needs as 'read';
  const byCode = 'oneTimeCode' in credentials.properties;
  const shown = { ...fields, ...SESSION_FIELDS };
  const endpoints = {
    signIn: endpoint('POST /session', {
      summary: 'Sign in',
      needs: 'anyone',
      decides: one('Their own sign-in: the password decides, and a code where one is set up.'),
      audit: person.audit.signIn,
      description: `Sets the session cookie, and answers the token for scripts that send it as \`Authorization: Bearer\`.${byCode ? ' People with one-time codes are refused with `one-time-code-required` until the code is sent too.' : ''}`,
      body: credentials,
      answer: dataOf(
        namedObject('NewSession', { token: Type.String(), ...shown }),
        person.signedInFor,
      ),
      refusals: [
        'wrong-credentials',
        'suspended',
        'too-many-tries',
        ...(byCode ? (['one-time-code-required', 'one-time-code-wrong'] as const) : []),
      ],
    }),
    whoAmI: endpoint('GET /session', {
      summary: 'Who is signed in',
      needs,
      answer: dataOf(namedObject('Session', shown), person.shows),
    }),
    signOut: endpoint('DELETE /session', {
      summary: 'Sign out',
      needs,
      decides: TAKES_AWAY,
      audit: [],
      ...signOut,
      answer: dataOf(Type.Object({ signedOut: Type.Boolean() }), 'The session has ended.'),
    }),
    changePassword: endpoint('POST /password', {
      summary: 'Change one’s own password',
      needs,
      decides: one('Their own, by the present one.'),
      audit: [person.audit.password],
      description: `Ends ${person.ends}; who asks goes on in a new one. A wrong present password counts as a sign-in that failed. Takes no Idempotency-Key: once it is done, a repeat is refused.`,
      body: strictObject({
        currentPassword: Type.String({ maxLength: 200 }),
        newPassword: PASSWORD,
      }),
      answer: dataOf(RENEWED, 'The password is changed, and this is the new session.'),
      refusals: ['wrong-state', 'too-many-tries'],
    }),
    listSessions: endpoint('GET /sessions', {
      summary: 'List one’s own sign-ins',
      needs,
      querystring: PAGE_QUERY,
      answer: listOf(
        SignInView,
        'Sign-ins in force, the newest first. Script tokens are not listed.',
      ),
    }),
    endSession: write('DELETE /sessions/:sessionId', {
      summary: 'End one of one’s own sign-ins',
      needs,
      decides: TAKES_AWAY,
      audit: ['session.end'],
      ...(name === 'member' && { description: 'What is pushed to that phone stops with it.' }),
      answer: dataOf(SignInsEnded, 'It has ended: 1.'),
    }),
    endOtherSessions: write('DELETE /sessions', {
      summary: 'End all of one’s other sign-ins',
      needs,
      decides: TAKES_AWAY,
      audit: ['session.end'],
      answer: dataOf(SignInsEnded, 'How many have ended.'),
    }),
    readRecovery: endpoint('POST /recovery/read', {
      summary: person.recovery.read,
      needs: 'anyone',
      decides: ASKS,
      audit: [],
      body: strictObject({ token: LINK_TOKEN }),
      answer: dataOf(RecoveryView, 'Whose link it is.'),
      refusals: ['link-invalid', 'link-expired', 'suspended'],
    }),
    recover: endpoint('POST /recovery', {
      summary: person.recovery.use,
      needs: 'anyone',
      decides: one('Anyone with the link. It was decided when the link was made.'),
      description: `Sets a new password. One-time codes are off then, and all sign-ins and script tokens end. A link is good once: for 24 hours, an invitation for 7 days.${person.recovery.also ?? ''}`,
      audit: person.audit.recover,
      body: strictObject({ token: LINK_TOKEN, newPassword: PASSWORD }),
      answer: dataOf(
        Type.Object({ username: Type.String() }),
        'The password is set. Sign in with it.',
      ),
      refusals: ['link-invalid', 'link-expired', 'suspended', 'too-many-tries'],
    }),
  };
  return endpoints as OnFaces<typeof endpoints>;
}

/** What one's own code decides. */
export const BY_CODE = {
  decides: one('Their own, by a code.'),
  body: strictObject({ oneTimeCode: ONE_TIME_CODE }, { title: 'OneTimeCodeRequest' }),
  refusals: ['wrong-state'],
} as const;
const CodeStateView = namedObject('CodeState', {
  on: Type.Boolean({ description: 'Asked for at every sign-in.' }),
  recoveryCodesLeft: Type.Integer(),
});
const RecoveryCodes = namedObject('RecoveryCodes', {
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Ten codes, each good once in place of the app’s. Shown this once.',
  }),
});

/** One's own one-time codes, on the faces whose people may have them. */
export function ownCodes(
  name: PersonFace,
  common: readonly Code[],
  kind: 'operator' | 'portal-user',
) {
  const { endpoint } = definitionsOf(name, common)('One-time codes');
  const needs = 'read';
  const endpoints = {
    readCodeState: endpoint('GET /one-time-code', {
      summary: 'Whether one’s own sign-in needs a code',
      needs,
      answer: dataOf(CodeStateView, 'The state.'),
    }),
    setUpCode: endpoint('POST /one-time-code', {
      summary: 'Set codes up',
      needs,
      decides: one('Their own, by their password.'),
      audit: [`${kind}.one-time-code-set-up`],
      description:
        'Needs the password, under the limits of sign-ins. The codes are asked for once the first one has confirmed them; until then this may be repeated, and gives another secret.',
      body: strictObject({ currentPassword: Type.String({ maxLength: 200 }) }),
      answer: dataOf(
        Type.Object({
          secret: Type.String({ description: 'In base32, to be typed in where no camera is.' }),
          uri: Type.String({ description: '`otpauth://…`' }),
          qrSvg: Type.String({ description: 'The same as a QR code, SVG.' }),
        }),
        'What the authenticator app needs.',
      ),
      refusals: ['wrong-state', 'too-many-tries'],
    }),
    confirmCode: endpoint('POST /one-time-code/confirm', {
      summary: 'Turn codes on by a first one',
      ...BY_CODE,
      needs,
      audit: [`${kind}.one-time-code-on`],
      description: 'All one’s other sign-ins end.',
      answer: dataOf(RecoveryCodes, 'Codes are on.'),
    }),
    renewRecoveryCodes: endpoint('POST /one-time-code/recovery-codes', {
      summary: 'Make new recovery codes',
      ...BY_CODE,
      needs,
      audit: [`${kind}.recovery-codes`],
      answer: dataOf(RecoveryCodes, 'The codes before are void.'),
    }),
    turnCodeOff: endpoint('POST /one-time-code/turn-off', {
      summary: 'Turn one’s own codes off',
      ...BY_CODE,
      needs,
      audit: [`${kind}.one-time-code-off`],
      answer: dataOf(CodeStateView, 'Codes are off.'),
    }),
  };
  return endpoints as OnFaces<typeof endpoints>;
}

/** A telephone number as it is typed: digits, with spaces, dots, dashes and brackets. */
export const PHONE = { maxLength: 40, pattern: '^[+(]{0,2}[0-9][0-9 ()./-]*[0-9]$' };
