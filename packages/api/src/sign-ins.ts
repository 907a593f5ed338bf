import Type from 'typebox';
import type { Shown } from './endpoint.ts';
import { orNull, time } from './schemas.ts';

/** Sign-ins as their owner sees them, on the member and operator faces. */

export type SignInView = Shown<typeof SignInView>;
export const SignInView = Type.Object({
  sessionId: Type.String(),
  current: Type.Boolean({ description: 'This request has come by it.' }),
  createdAt: time,
  lastUsedAt: time,
  expiresAt: time,
  address: orNull(Type.String()),
  userAgent: orNull(Type.String()),
});
export const SignInsEnded = Type.Object({ ended: Type.Integer() });
