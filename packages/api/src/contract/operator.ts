import { CONSOLE_ROLES, OPERATOR_ROLES, WHY_TWO } from '@munshi/core';
import Type, { type TSchema } from 'typebox';
import { one } from './decider.ts';
import { face, type Shown } from './endpoint.ts';
import {
  dataOf,
  either,
  lines,
  money,
  namedEnum,
  namedObject,
  optional,
  orNull,
  SECRET_SHOWN,
  strictObject,
  time,
} from './schemas.ts';

/** What the schemas of the operator face are made of, besides those of both faces. */

export * from './schemas.ts';

export const ROLE = namedEnum(
  'OperatorRole',
  OPERATOR_ROLES,
  'viewer reads; support also decides orders; admin asks for everything; approver, who is made on the server, also approves.',
);
export const CONSOLE_ROLE = namedEnum(
  'OperatorRoleGiven',
  CONSOLE_ROLES,
  'Approvers are made on the server: `munshi operator-link <name> --approver`.',
);

export const id = (description: string) => Type.String({ format: 'uuid', description });
export const note = lines(
  1000,
  'Why, for the history and the audit log. A failed order carries it to the merchant as the reason.',
);

export const internalNote = lines(
  1000,
  'For operators alone: in the audit log and the operator’s history of the order, and nowhere else.',
);

/** What operators write about what they do: for the history, and for themselves. */
export const EXPLAINED = { note, internalNote: optional(internalNote) };
export const NOTED = strictObject(EXPLAINED, { title: 'OperatorNotes' });

/** What a request that waits would do, by names. */
export const APPROVAL_REQUEST = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
);

/** In the answer of a write that waits. */
export const HINT = Type.String({
  description: 'What to do where fewer than two approvers can sign in.',
});
export const APPROVERS = Type.Array(Type.String(), {
  description:
    'By name, who can approve it: approvers who can sign in, have not asked for it, and gave nobody in it a way to sign in.',
});
/** What a call answers that waits for another operator. */
export const WAITING = namedObject('PendingApproval', {
  status: Type.Literal('pendingApproval'),
  approvalId: Type.String({ description: 'See `/approvals`.' }),
  request: optional({
    ...APPROVAL_REQUEST,
    description: 'What the other operator reads, as `/approvals` shows it.',
  }),
  hint: optional(HINT),
  approvers: optional(APPROVERS),
});

/** What is known of a write before it is done: whether it waits, why, and for whom (decision 25). */
export const PREVIEWED = {
  preview: Type.Literal(true),
  status: namedEnum(
    'WriteOutcome',
    ['done', 'pendingApproval'],
    'pendingApproval: another operator has to agree first; the rest is what happens when they do.',
  ),
  wait: orNull(
    namedObject(
      'SecondOperatorNeeded',
      {
        why: namedEnum(
          'WhySecondOperator',
          WHY_TWO,
          'declared: `rule` says which changes wait. no-limit: no amount is decided alone. amount: it is above the limit by itself. day-sum: it is with what was decided alone today. below-zero: it takes the wallet below zero.',
        ),
        rule: orNull(Type.String()),
        approvers: APPROVERS,
      },
      { description: 'Null: it is done at once.' },
    ),
  ),
  limit: orNull(
    namedObject(
      'LimitAlone',
      {
        amount: money('What one operator decides alone.'),
        left: orNull(money('Of it today, before this. Null: it holds for each amount by itself.')),
        shared: Type.Boolean({ description: 'With all operators who are no approvers.' }),
      },
      { description: 'Of a write about money. Null: no limit is set, or it does not count.' },
    ),
  ),
};
export type WritePreview = Shown<typeof WritePreview>;
export const WritePreview = namedObject('WritePreview', PREVIEWED);
export const orWaiting = <T extends TSchema>(schema: T, description?: string) =>
  dataOf(either(either(schema, WAITING), WritePreview), description);

/** Of requests that wait for a second operator. */
export const SECOND_YES = one('It is the second yes: the asker is refused.');
/** Of what a sandbox clock makes possible. */
export const SANDBOX_ALONE = one(
  'Only with a sandbox clock, which production refuses to start with.',
);

/** What any route of the face can answer. */
export const COMMON = [
  'not-signed-in',
  'suspended',
  'csrf-token-invalid',
  'role-too-low',
  'one-time-code-set-up',
] as const;
export const operator = face('operator', COMMON);

export const RecoveryLinkView = namedObject('RecoveryLink', {
  principalId: Type.String(),
  username: Type.String(),
  expiresAt: time,
  link: optional(Type.String({ description: 'Shown this once.' })),
  secretShown: SECRET_SHOWN,
});
export type RecoveryLinkView = Shown<typeof RecoveryLinkView>;
