import Type, { type Static } from 'typebox';
import {
  ACTIVE,
  answers,
  dataOf,
  listOf,
  OWN_PASSWORD,
  optional,
  orNull,
  orWaiting,
  PAGE_QUERY,
  PASSWORD,
  params,
  RENEWED,
  ROLE,
  route,
  SECRET_SHOWN,
  strict,
  text,
  time,
  USERNAME,
  writeRoute,
} from './schemas.ts';

/** Sign-in, operators and their script tokens. */

const OperatorView = Type.Object({
  operatorId: Type.String(),
  username: Type.String(),
  name: Type.String(),
  role: ROLE,
});
const SessionView = Type.Object({
  operator: OperatorView,
  csrfToken: orNull(
    Type.String({ description: 'To be sent as `X-CSRF-Token` with every write by cookie.' }),
  ),
  expiresAt: orNull(time),
});

export type SignIn = Static<typeof SIGN_IN.body>;
export const SIGN_IN = route('Session', 'Sign in', {
  description:
    'Sets the session cookie, and answers the token for scripts that send it as `Authorization: Bearer`.',
  body: Type.Object(
    { username: Type.String({ maxLength: 100 }), password: Type.String({ maxLength: 200 }) },
    strict,
  ),
  response: answers(
    'Signed in for 12 hours.',
    dataOf(Type.Intersect([Type.Object({ token: Type.String() }), SessionView])),
    400,
    429,
  ),
});
export const WHO_AM_I = route('Session', 'Who is signed in', {
  response: answers('The operator, and the anti-forgery token.', dataOf(SessionView)),
});
export const SIGN_OUT = route('Session', 'Sign out', {
  response: answers(
    'The session has ended.',
    dataOf(Type.Object({ signedOut: Type.Boolean() })),
    409,
  ),
});

export type ChangeOwnPassword = Static<typeof CHANGE_OWN_PASSWORD.body>;
export const CHANGE_OWN_PASSWORD = route('Session', 'Change one’s own password', {
  description:
    'Ends all sessions and script tokens of the operator; who asks goes on in a new session. A wrong present password counts as a sign-in that failed. Takes no Idempotency-Key: once it is done, a repeat is refused.',
  body: OWN_PASSWORD,
  response: answers(
    'The password is changed, and this is the new session.',
    dataOf(RENEWED),
    400,
    409,
    429,
  ),
});

const OperatorRow = Type.Intersect([
  OperatorView,
  Type.Object({
    status: ACTIVE,
    tokens: Type.Integer({ description: 'Script tokens in force.' }),
    createdAt: time,
  }),
]);
export type CreateOperator = Static<typeof CREATE_OPERATOR.body>;
export const CREATE_OPERATOR = writeRoute('Operators', 'Add an operator', {
  body: Type.Object(
    { username: USERNAME, name: text(200), role: ROLE, password: optional(PASSWORD) },
    { ...strict, description: 'Without a password the operator works by script token alone.' },
  ),
  response: answers('The operator.', orWaiting(OperatorRow), 400, 409),
});
export type ChangeOperator = Static<typeof CHANGE_OPERATOR.body>;
export const CHANGE_OPERATOR = writeRoute('Operators', 'Change an operator', {
  description:
    'A new password ends the sign-ins and script tokens in force; one’s own is changed by `POST /password`. Suspending takes effect on the next request.',
  params: params('operatorId'),
  body: Type.Object(
    {
      name: optional(text(200)),
      role: optional(ROLE),
      status: optional(ACTIVE),
      password: optional(PASSWORD),
    },
    { ...strict, minProperties: 1 },
  ),
  response: answers('The operator.', orWaiting(OperatorRow), 400, 404, 409),
});
export const LIST_OPERATORS = route('Operators', 'List operators', {
  querystring: PAGE_QUERY,
  response: answers('Operators.', listOf(OperatorRow), 400),
});
export type CreateOperatorToken = Static<typeof CREATE_OPERATOR_TOKEN.body>;
export const CREATE_OPERATOR_TOKEN = writeRoute('Operators', 'Make a script token', {
  params: params('operatorId'),
  body: Type.Object(
    {
      name: text(200, 'What the token is for.'),
      expiresInDays: optional(
        Type.Integer({
          minimum: 1,
          maximum: 365,
          description: 'When the token ends; 90 by default.',
        }),
      ),
    },
    strict,
  ),
  response: answers(
    'The token, shown this once.',
    orWaiting(
      Type.Object({
        operatorId: Type.String(),
        tokenId: Type.String(),
        name: Type.String(),
        expiresAt: time,
        token: optional(Type.String()),
        secretShown: SECRET_SHOWN,
      }),
    ),
    400,
    404,
    409,
  ),
});
const TokenRow = Type.Object({
  tokenId: Type.String(),
  name: Type.String({ description: 'What the token is for.' }),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: orNull(
    Type.String({
      format: 'date-time',
      description: 'Not older than five minutes before its last use; null: never used.',
    }),
  ),
});
export const LIST_OPERATOR_TOKENS = route('Operators', "List an operator's script tokens", {
  params: params('operatorId'),
  querystring: PAGE_QUERY,
  response: answers('The tokens in force, the newest first.', listOf(TokenRow), 400, 404),
});
export const REVOKE_OPERATOR_TOKEN = writeRoute('Operators', 'Revoke a script token', {
  params: params('operatorId', 'tokenId'),
  response: answers('It is revoked.', dataOf(Type.Object({ revoked: Type.Literal(1) })), 404),
});
export const REVOKE_OPERATOR_TOKENS = writeRoute(
  'Operators',
  "Revoke an operator's script tokens",
  {
    params: params('operatorId'),
    response: answers(
      'How many were revoked.',
      dataOf(Type.Object({ revoked: Type.Integer() })),
      404,
    ),
  },
);
