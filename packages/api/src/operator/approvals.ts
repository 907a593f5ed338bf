import Type, { type Static } from 'typebox';
import {
  answers,
  dataOf,
  listOf,
  note,
  optional,
  orNull,
  PAGE,
  params,
  route,
  SECRET_SHOWN,
  strict,
  time,
  writeRoute,
} from './schemas.ts';

/** What waits for a second operator. */

const KINDS = [
  ...['adjustment', 'float-adjustment', 'order-confirm', 'order-resolve'],
  ...[
    'api-key',
    'operator-create',
    'operator-change',
    'operator-token',
    'member-password',
    'settings',
  ],
];
const STATUSES = [
  'pending',
  'approved',
  'done',
  'declined',
  'withdrawn',
  'fallen',
  'expired',
] as const;
const APPROVAL_STATUS = Type.Enum([...STATUSES], {
  type: 'string',
  description:
    'approved: its requester may fetch the key or token. fallen: the requester was suspended or has lost the role.',
});

const ApprovalView = Type.Object({
  approvalId: Type.String(),
  kind: Type.Enum(KINDS, { type: 'string' }),
  target: Type.String({ description: 'The id of what it is about.' }),
  request: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Everything that will be done, amounts as exact text. What a field was before stands beside it, as `…Before`.',
  }),
  requestedBy: Type.String(),
  requestedName: Type.String(),
  requestedAt: time,
  expiresAt: time,
  status: APPROVAL_STATUS,
  decidedBy: orNull(Type.String()),
  decidedName: orNull(Type.String()),
  decidedAt: orNull(time),
  note: orNull(Type.String()),
});

export type ListApprovals = Static<typeof LIST_APPROVALS.querystring>;
export const LIST_APPROVALS = route(
  'Approvals',
  'List what waits for a second operator, or waited',
  {
    querystring: Type.Object(
      {
        status: optional(APPROVAL_STATUS),
        target: optional(Type.String({ maxLength: 100 })),
        ...PAGE,
      },
      strict,
    ),
    response: answers('Requests, the newest first.', listOf(ApprovalView), 400),
  },
);
export const READ_APPROVAL = route('Approvals', 'Read a request', {
  params: params('approvalId'),
  response: answers('The request, whole.', dataOf(ApprovalView), 404),
});
export type OptionalNote = Static<typeof APPROVE_REQUEST.body>;
export const APPROVE_REQUEST = writeRoute('Approvals', 'Approve a request as it stands', {
  description:
    'By another operator than the one who asked, with the role that the request itself needs. It is decided again, by the rules and amounts of now.',
  params: params('approvalId'),
  body: Type.Object({ note: optional(note) }, strict),
  response: answers('The request.', dataOf(ApprovalView), 400, 404, 409, 422),
});
export const DECLINE_REQUEST = writeRoute('Approvals', 'Turn a request down', {
  description: 'Whoever asked for it withdraws it so.',
  params: params('approvalId'),
  body: Type.Object({ note }, strict),
  response: answers('The request.', dataOf(ApprovalView), 400, 404, 409),
});
export const FETCH_REQUEST = writeRoute('Approvals', 'Fetch an approved key or token', {
  description:
    'It is made now, once, for the operator who asked for it, within 24 hours of the approval. Nobody else ever sees it.',
  params: params('approvalId'),
  response: answers(
    'The key with its signing secret, or the token; shown this once.',
    dataOf(
      Type.Object({
        keyId: optional(Type.String()),
        prefix: optional(Type.String()),
        apiKey: optional(Type.String()),
        signingSecret: optional(Type.String()),
        operatorId: optional(Type.String()),
        name: optional(Type.String()),
        expiresAt: optional(time),
        token: optional(Type.String()),
        secretShown: SECRET_SHOWN,
      }),
    ),
    404,
    409,
  ),
});
