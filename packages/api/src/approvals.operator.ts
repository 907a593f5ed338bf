import { APPROVAL_ACTIONS, APPROVAL_KINDS, APPROVAL_STATUSES, FETCHERS } from '@munshi/core';
import Type from 'typebox';
import { orEffect } from './approvals.effects.ts';
import { one, TAKES_AWAY } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  APPROVAL_REQUEST,
  APPROVERS,
  allowedActions,
  CURRENCY,
  dataOf,
  enumOf,
  internalNote,
  listOf,
  money,
  NOTED,
  namedEnum,
  namedObject,
  note,
  operator,
  optional,
  orNull,
  PAGE,
  SECOND_YES,
  SECRET_SHOWN,
  strictObject,
  time,
} from './contract/operator.ts';

/** Requests that wait for a second operator. */

const { endpoint, write } = operator('Approvals');

const APPROVAL_STATUS = namedEnum(
  'ApprovalStatus',
  [...APPROVAL_STATUSES, 'expired'],
  'approved: its secret may be fetched by its `fetcher`. fallen: the requester was suspended or has lost the role.',
);

const FETCHER = namedEnum(
  'SecretFetcher',
  FETCHERS,
  'Who fetches the secret that it gives: its asker; a key an admin of its merchant with one-time codes, or where there is none an approver who did not ask. Null: it gives none.',
);

const Request = {
  approvalId: Type.String(),
  kind: namedEnum('ApprovalKind', APPROVAL_KINDS, 'write: any other endpoint that waits.'),
  endpoint: orNull({
    ...Type.String(),
    description: 'Of a `write`, which is sent as it was asked: `POST /exchange-rates`.',
  }),
  summary: orNull({ ...Type.String(), description: 'What that endpoint does.' }),
  request: {
    ...APPROVAL_REQUEST,
    description:
      'Everything that will be done, amounts as exact text. Each changed field comes with its former value, as `…Before`.',
  },
  names: Type.Record(Type.String(), Type.String(), {
    description: 'What the ids in `request` are called.',
  }),
  about: namedObject(
    'ApprovalSubject',
    {
      merchantId: orNull(Type.String()),
      merchantName: orNull(Type.String()),
      memberId: orNull(Type.String()),
      memberName: orNull(Type.String()),
      orderId: orNull(Type.String()),
      orderReference: orNull(Type.String()),
      name: orNull(Type.String({ description: 'Of the person, account or key that it is about.' })),
    },
    { description: 'Whom or what it is about, by name.' },
  ),
  amount: orNull(money('Of a request about money; of an order in its currency.')),
  currency: orNull(CURRENCY),
  reason: orNull(Type.String({ description: 'The reason that was given.' })),
  approvers: APPROVERS,
  requestedBy: Type.String(),
  requestedName: Type.String(),
  requestedAt: time,
  expiresAt: time,
  notByYou: orNull(
    Type.String({
      description: 'Why you may not approve it, though your role may; null where you may.',
    }),
  ),
  fetcher: orNull(FETCHER),
  allowedActions: allowedActions(APPROVAL_ACTIONS, 'ApprovalAction'),
};
/** A request that waits, in the order that it is about. */
export type WaitingRequestView = Shown<typeof WaitingRequestView>;
export const WaitingRequestView = namedObject('WaitingRequest', Request);

export type ApprovalView = Shown<typeof ApprovalView>;
const ApprovalView = namedObject('Approval', {
  ...Request,
  target: Type.String({ description: 'The id of what it is about.' }),
  status: APPROVAL_STATUS,
  decidedBy: orNull(Type.String()),
  decidedName: orNull(Type.String()),
  decidedAt: orNull(time),
  note: orNull(Type.String()),
});

export const LIST_APPROVALS = endpoint('GET /approvals', {
  summary: 'List what waits for a second operator, or waited',
  needs: 'read',
  querystring: strictObject({
    status: optional(APPROVAL_STATUS),
    target: optional(Type.String({ maxLength: 100 })),
    ...PAGE,
  }),
  answer: listOf(ApprovalView, 'Requests, the newest first.'),
});
export const READ_APPROVAL = endpoint('GET /approvals/:approvalId', {
  summary: 'Read a request',
  needs: 'read',
  answer: dataOf(ApprovalView, 'The request, whole.'),
});
export type SecondOperatorRuleView = Shown<typeof SecondOperatorRuleView>;
const SecondOperatorRuleView = namedObject('SecondOperatorRule', {
  requireSecondOperator: Type.Boolean(),
  limit: orNull(money('What one operator decides alone, by itself and on a day.')),
  left: orNull(money('Of it today, of yours or of the operators’ who share one.')),
  shared: Type.Boolean({ description: 'You share it with all operators who are no approvers.' }),
  approvers: Type.Array(Type.String(), { description: 'Who can sign in, by name.' }),
  rules: Type.Array(
    Type.Object({
      subject: Type.String(),
      writes: Type.Array(
        Type.Object({
          summary: Type.String(),
          by: enumOf(
            ['two', 'amount', 'change'],
            'two: it always waits. amount: above the limit. change: `waits` says of what.',
          ),
          waits: orNull(Type.String()),
        }),
      ),
    }),
    { description: 'As the endpoints declare it.' },
  ),
});
export const READ_SECOND_OPERATOR_RULE = endpoint('GET /approvals/rule', {
  summary: 'Read what needs a second operator',
  needs: 'read',
  answer: dataOf(SecondOperatorRuleView, 'The rule as it is now.'),
});
/** What a request comes to when it is approved; a secret is left to its requester to fetch. */
const APPROVED = [
  'wallet.approve',
  'member.float',
  'order.confirm-approve',
  'order.resolve-approve',
  'late-claim.close',
  'api-key.approve',
  'operator-token.approve',
  'operator-recovery.approve',
  'member-recovery.approve',
  'portal-link.approve',
  'operator.create',
  'operator.update',
  'operator.one-time-code-remove',
  'member.identity',
  'member.update',
  'account.update',
  'merchant.own-keys',
  'settings.update',
  'merchant.update',
  'portal-user.create',
  'portal-user.update',
  'exchange-rate.set',
  'fee-rule.create',
  'fee-rule.end',
  'merchant-alerts.change',
] as const;
export const APPROVE_REQUEST = write('POST /approvals/:approvalId/approve', {
  summary: 'Approve a request as it stands',
  needs: 'approve',
  decides: SECOND_YES,
  audit: APPROVED,
  description:
    'By an approver who did not ask for it. It is decided again, by the rules and amounts of now.',
  preview: true,
  body: strictObject(
    { note: optional(note), internalNote: optional(internalNote) },
    { title: 'ApprovalNote' },
  ),
  answer: orEffect(ApprovalView, 'The request.'),
  refusals: ['second-operator', 'wrong-state', 'unprocessable'],
});
export const DECLINE_REQUEST = write('POST /approvals/:approvalId/decline', {
  summary: 'Turn a request down',
  needs: 'decide',
  decides: TAKES_AWAY,
  audit: ['approval.decline', 'approval.withdraw'],
  description: 'The asker withdraws it so.',
  body: NOTED,
  answer: dataOf(ApprovalView, 'The request.'),
  refusals: ['wrong-state'],
});
export const FETCH_REQUEST = write('POST /approvals/:approvalId/fetch', {
  summary: 'Fetch an approved key, token or link',
  needs: 'write',
  decides: one('It was approved.'),
  audit: [
    'api-key.create',
    'api-key.regenerate',
    'operator.token',
    'operator.recovery-link',
    'member.recovery-link',
    'portal-user.invite',
    'portal-user.invitation',
    'portal-user.recovery-link',
  ],
  description:
    'It is made now, once, within 24 hours of the approval: a token or link for the operator who asked for it; an API key for an approver who did not ask, where the merchant has no admin with one-time codes to fetch it in the portal.',
  answer: dataOf(
    namedObject('ApprovedSecret', {
      keyId: optional(Type.String()),
      prefix: optional(Type.String()),
      apiKey: optional(Type.String()),
      signingSecret: optional(Type.String()),
      operatorId: optional(Type.String()),
      tokenId: optional(Type.String()),
      name: optional(Type.String()),
      expiresAt: optional(time),
      token: optional(Type.String()),
      principalId: optional(Type.String()),
      username: optional(Type.String()),
      link: optional(Type.String()),
      portalUserId: optional(Type.String()),
      invitedUntil: optional(orNull(time)),
      mailed: optional(Type.Boolean()),
      secretShown: SECRET_SHOWN,
    }),
    'The key with its signing secret, the token or the link; shown this once.',
  ),
  refusals: ['second-operator', 'wrong-state'],
});
