import Type from 'typebox';
import { COMMON } from './contract/member.ts';
import { namedObject } from './contract/schemas.ts';
import { BY_PASSWORD, ownSignIn } from './people.ts';

/** Signing in to the member app, and one’s own password and sign-ins. */

export const {
  signIn: MEMBER_SIGN_IN,
  whoAmI: MEMBER_WHO_AM_I,
  signOut: MEMBER_SIGN_OUT,
  changePassword: MEMBER_CHANGE_PASSWORD,
  listSessions: MEMBER_LIST_SESSIONS,
  endSession: MEMBER_END_SESSION,
  endOtherSessions: MEMBER_END_OTHER_SESSIONS,
  readRecovery: MEMBER_READ_RECOVERY,
  recover: MEMBER_RECOVER,
} = ownSignIn('member', COMMON, {
  needs: 'member',
  credentials: BY_PASSWORD,
  fields: {
    member: namedObject('MemberName', {
      memberId: Type.String(),
      username: Type.String(),
      name: Type.String(),
    }),
  },
  shows: 'The member, and the anti-forgery token.',
  signedInFor: 'Signed in, for 30 days from the last use.',
  ends: 'all sessions of the member',
  recovery: {
    read: 'Whose recovery link it is',
    use: 'Choose a new password by a recovery link',
    also: ' While a second operator is required, the member goes offline and their approved accounts wait for approval again.',
  },
  signOut: {
    description: 'Presence stays as it is: orders keep coming until the member goes offline.',
  },
  audit: { signIn: [], password: 'member.password', recover: ['member.recover', 'member.update'] },
});
