import type { PortalUserRecord } from '../storage/people/portal-users.ts';

/** One of a merchant's people, as operators and the merchant's own admins see them. */
export const showPerson = (user: PortalUserRecord) => ({
  portalUserId: user.portalUserId,
  username: user.username,
  name: user.name,
  email: user.email,
  role: user.role,
  status: user.status,
  invitedUntil: user.invitedUntil,
  hasOneTimeCode: user.hasOneTimeCode,
  lastSignIn: user.lastSignIn && { ...user.lastSignIn, at: user.lastSignIn.at },
  createdAt: user.createdAt,
});
