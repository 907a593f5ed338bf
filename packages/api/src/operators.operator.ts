import { OPERATOR_ACTIONS, operatorNeedsTwo, tokenNeedsTwo } from '@munshi/core';
import Type from 'typebox';
import { byChange, TAKES_AWAY, TWO } from './contract/decider.ts';
import type { BodyOf, Shown } from './contract/endpoint.ts';
import {
  ACTIVE,
  allowedActions,
  CONSOLE_ROLE,
  changeOf,
  dataOf,
  listOf,
  namedObject,
  operator,
  optional,
  orNull,
  orWaiting,
  PAGE_QUERY,
  PASSWORD,
  PERSON_NAME,
  RecoveryLinkView,
  SECRET_SHOWN,
  strictObject,
  text,
  time,
  timeOf,
  USERNAME,
} from './contract/operator.ts';
import { operatorFields } from './operators.ts';
import { ONE_TIME_CODE, SignInPlace, SignInsEnded } from './people.ts';

/** Operators and their script tokens. */

const { endpoint, write } = operator('Operators');

export type OperatorView = Shown<typeof OperatorView>;
const OperatorView = namedObject('Operator', {
  ...operatorFields,
  status: ACTIVE,
  hasPassword: Type.Boolean({ description: 'Without one they work by script token alone.' }),
  hasOneTimeCode: Type.Boolean(),
  tokens: Type.Integer({ description: 'Script tokens in force.' }),
  lastSignIn: orNull(SignInPlace),
  createdAt: time,
  allowedActions: allowedActions(OPERATOR_ACTIONS),
});

export const CREATE_OPERATOR = write('POST /operators', {
  summary: 'Add an operator',
  needs: 'administer',
  decides: TWO,
  audit: ['operator-create.request', 'operator.create'],
  body: strictObject(
    { username: USERNAME, name: PERSON_NAME, role: CONSOLE_ROLE, password: optional(PASSWORD) },
    { description: 'Without a password the operator works by script token alone.' },
  ),
  answer: orWaiting(OperatorView, 'The operator.'),
  refusals: ['wrong-state', 'already-exists'],
});
export type ChangeOperator = BodyOf<typeof CHANGE_OPERATOR>;
export const CHANGE_OPERATOR = write('PATCH /operators/:operatorId', {
  summary: 'Change an operator',
  needs: 'administer',
  decides: byChange(
    'A higher role, an active status again, or a password for somebody else.',
    operatorNeedsTwo,
  ),
  audit: ['operator-change.request', 'operator.update'],
  description:
    'A new password ends the sign-ins and script tokens in force; one’s own is changed by `POST /password`. Suspending takes effect on the next request.',
  body: changeOf({ name: PERSON_NAME, role: CONSOLE_ROLE, status: ACTIVE, password: PASSWORD }),
  answer: orWaiting(OperatorView, 'The operator.'),
  refusals: ['already-exists', 'wrong-state'],
});
export const LIST_OPERATORS = endpoint('GET /operators', {
  summary: 'List operators',
  needs: 'administer',
  querystring: PAGE_QUERY,
  answer: listOf(OperatorView, 'Operators, the newest first.'),
});

export const MAKE_OPERATOR_RECOVERY = write('POST /operators/:operatorId/recovery-link', {
  summary: 'Make a recovery link',
  needs: 'administer',
  decides: TWO,
  audit: ['operator-recovery.request', 'operator.recovery-link'],
  description:
    'For an operator who has forgotten their password, lost their one-time codes, or is new. Their sign-ins end now; the link before is void. While a second operator is required, another one approves it.',
  answer: orWaiting(RecoveryLinkView, 'The link, shown this once: good once, for 24 hours.'),
  refusals: ['wrong-state'],
});

export const END_OPERATOR_SESSIONS = write('DELETE /operators/:operatorId/sessions', {
  summary: 'End the sign-ins of an operator',
  needs: 'administer',
  decides: TAKES_AWAY,
  audit: ['operator.sessions-end'],
  description: 'With the script tokens that they made.',
  answer: dataOf(SignInsEnded, 'How many have ended, tokens included.'),
});

const MadeTokenView = namedObject('NewOperatorToken', {
  operatorId: Type.String(),
  tokenId: Type.String(),
  name: Type.String(),
  expiresAt: time,
  token: optional(Type.String({ description: '`op_…`. Shown this once.' })),
  secretShown: SECRET_SHOWN,
});
export const CREATE_OPERATOR_TOKEN = write('POST /operators/:operatorId/tokens', {
  summary: 'Make a script token',
  needs: 'administer',
  decides: byChange('A token for somebody else, or for more than 90 days.', tokenNeedsTwo),
  description:
    'One of your own asks for your password, and for a one-time code where yours are on. A token ends with the sign-ins of its maker when another operator ends those, and with the next token, password or link by another one.',
  audit: ['operator-token.request', 'operator.token'],
  body: strictObject({
    name: text(200, 'What the token is for.'),
    expiresInDays: optional(
      Type.Integer({
        minimum: 1,
        maximum: 365,
        description: 'When the token ends; 90 by default.',
      }),
    ),
    currentPassword: optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'For a token of your own.' }),
    ),
    oneTimeCode: optional(ONE_TIME_CODE),
  }),
  answer: orWaiting(MadeTokenView, 'The token, shown this once.'),
  refusals: ['wrong-state', 'too-many-tries'],
});

export type TokenView = Shown<typeof TokenView>;
const TokenView = namedObject('OperatorToken', {
  tokenId: Type.String(),
  name: Type.String({ description: 'What the token is for.' }),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: orNull(timeOf('Not older than five minutes before its last use; null: never used.')),
});
export const LIST_OPERATOR_TOKENS = endpoint('GET /operators/:operatorId/tokens', {
  summary: "List an operator's script tokens",
  needs: 'administer',
  querystring: PAGE_QUERY,
  answer: listOf(TokenView, 'The tokens in force, the newest first.'),
});

const Revoked = namedObject('TokensRevoked', { revoked: Type.Integer() });
export const REVOKE_OPERATOR_TOKEN = write('DELETE /operators/:operatorId/tokens/:tokenId', {
  summary: 'Revoke a script token',
  needs: 'administer',
  decides: TAKES_AWAY,
  audit: ['operator.token-revoke'],
  answer: dataOf(Revoked, 'It is revoked: 1.'),
});
export const REVOKE_OPERATOR_TOKENS = write('DELETE /operators/:operatorId/tokens', {
  summary: "Revoke an operator's script tokens",
  needs: 'administer',
  decides: TAKES_AWAY,
  audit: ['operator.token-revoke'],
  answer: dataOf(Revoked, 'How many were revoked.'),
});

export const REMOVE_CODE = write('DELETE /operators/:operatorId/one-time-code', {
  summary: 'Turn another operator’s codes off',
  needs: 'administer',
  decides: TWO,
  audit: ['one-time-code-removal.request', 'operator.one-time-code-remove'],
  description:
    'For who has lost app and recovery codes. Their sign-ins end. While a second operator is required, another one approves it.',
  answer: orWaiting(Type.Object({ removed: Type.Literal(true) }), 'Codes are off.'),
  refusals: ['wrong-state'],
});
