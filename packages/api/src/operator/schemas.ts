import { OPERATOR_ROLES, ORDER_TYPES } from '@munshi/core';
import Type, { type TSchema } from 'typebox';
import { face, type Shown } from '../endpoint.ts';
import { dataOf, exactNumber, optional, SECRET_SHOWN, text, time } from '../schemas.ts';

/** What the schemas of the operator face are made of, besides those of both faces. */

export * from '../schemas.ts';

export const ORDER_TYPE = Type.Enum([...ORDER_TYPES], { type: 'string' });
export const ROLE = Type.Enum([...OPERATOR_ROLES], {
  type: 'string',
  description: 'viewer reads; support also decides orders; admin does everything.',
});

export const id = (description: string) => Type.String({ format: 'uuid', description });
export const factor = (description: string) =>
  exactNumber(`${description} At most 8 decimal places; exact.`);
export const note = text(
  1000,
  'Why, for the history and the audit log. A failed order carries it to the merchant as the reason.',
);

/** What a call answers that waits for another operator. */
export const WAITING = Type.Object({
  status: Type.Literal('pendingApproval'),
  approvalId: Type.String({ description: 'See `/approvals`.' }),
});
export const orWaiting = <T extends TSchema>(schema: T, description?: string) =>
  dataOf(Type.Union([schema, WAITING]), description);

export const { endpoint, write, moneyWrite } = face('operator', [
  'not-signed-in',
  'suspended',
  'csrf-token-invalid',
  'role-too-low',
  'one-time-code-set-up',
]);

export const RecoveryLinkView = Type.Object({
  principalId: Type.String(),
  username: Type.String(),
  expiresAt: time,
  link: optional(Type.String({ description: 'Shown this once.' })),
  secretShown: SECRET_SHOWN,
});
export type RecoveryLinkView = Shown<typeof RecoveryLinkView>;
