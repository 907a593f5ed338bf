import Type from 'typebox';
import { ASKS, one } from './decider.ts';
import type { Shown } from './endpoint.ts';
import { dataOf, namedObject, PASSWORD, strict, time } from './schemas.ts';

/** Links to choose a password by: who has forgotten theirs, lost their codes, or is invited. */

const TOKEN = Type.String({
  minLength: 20,
  maxLength: 100,
  description: 'What stands behind `#` in the link.',
});

export type RecoveryView = Shown<typeof RecoveryView>;
const RecoveryView = namedObject('Recovery', {
  username: Type.String(),
  name: Type.String(),
  expiresAt: time,
  invitation: Type.Boolean({ description: 'It gives the first password, in the portal.' }),
});

/** Whose link it is, before it is used. */
export const READ_RECOVERY = {
  role: 'anyone',
  decides: ASKS,
  audit: [],
  body: Type.Object({ token: TOKEN }, strict),
  answer: dataOf(RecoveryView, 'Whose link it is.'),
  refusals: ['link-invalid', 'link-expired', 'suspended'],
} as const;

/** The link is used: a new password, and codes are off. */
export const RECOVER = {
  role: 'anyone',
  decides: one('Whoever has the link. It was decided when the link was made.'),
  description:
    'Sets a new password. One-time codes are off then, and all sign-ins and script tokens end. A link is good once: for 24 hours, an invitation for 7 days.',
  body: Type.Object({ token: TOKEN, newPassword: PASSWORD }, strict),
  answer: dataOf(Type.Object({ username: Type.String() }), 'The password is set. Sign in with it.'),
  refusals: ['link-invalid', 'link-expired', 'suspended'],
} as const;
