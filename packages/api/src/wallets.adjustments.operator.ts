import { ADJUSTMENT_KINDS, ADJUSTMENT_STATUSES } from '@munshi/core';
import Type from 'typebox';
import { orEffect } from './approvals.effects.ts';
import { BY_AMOUNT } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  APPROVERS,
  allowedActions,
  either,
  HINT,
  id,
  internalNote,
  lines,
  listOf,
  money,
  namedEnum,
  namedObject,
  operator,
  optional,
  orNull,
  PAGE,
  strictObject,
  time,
  WAITING,
} from './contract/operator.ts';

/** Money that operators add or take: merchants' wallets and members' floats. */

const { endpoint, moneyWrite } = operator('Adjustments');

const KIND = namedEnum('AdjustmentKind', ADJUSTMENT_KINDS);
const STATUS = namedEnum(
  'AdjustmentStatus',
  [...ADJUSTMENT_STATUSES, 'declined'],
  'declined: turned down, withdrawn or expired before it was approved.',
);

export type AdjustmentView = Shown<typeof AdjustmentView>;
const AdjustmentView = namedObject('Adjustment', {
  adjustmentId: id('The adjustment.'),
  merchantId: id('The merchant.'),
  kind: KIND,
  amount: money(),
  reason: Type.String(),
  status: STATUS,
  requestedBy: Type.String(),
  requestedAt: time,
  approvedBy: orNull(Type.String()),
  approvedAt: orNull(time),
  approvalId: optional(Type.String({ description: 'Of one that waits: see `/approvals`.' })),
  hint: optional(HINT),
  approvers: optional(APPROVERS),
  allowedActions: allowedActions(['approve']),
});

const EXPLAINED = {
  reason: lines(1000, 'The owner of the balance reads it as the note of the movement.'),
  internalNote: optional(internalNote),
};

export const ADJUST_WALLET = moneyWrite('POST /merchants/:merchantId/adjustments', {
  summary: "Adjust a merchant's wallet",
  needs: 'write',
  decides: BY_AMOUNT,
  audit: ['wallet.credit', 'wallet.debit', 'wallet.freeze', 'wallet.unfreeze'],
  description:
    'Above the platform’s `adjustmentApprovalLimit` it waits for another operator; while a second operator is required, also where the operator’s day’s sum goes above it.',
  body: strictObject({ kind: KIND, amount: money('Above 0, in wallet currency.'), ...EXPLAINED }),
  answer: orEffect(AdjustmentView, 'Applied, or waiting for approval.'),
  refusals: ['unprocessable', 'wrong-state'],
});
export const LIST_ADJUSTMENTS = endpoint('GET /adjustments', {
  summary: 'List adjustments',
  needs: 'read',
  querystring: strictObject({
    merchantId: optional(id('The merchant.')),
    status: optional(STATUS),
    ...PAGE,
  }),
  answer: listOf(AdjustmentView, 'Adjustments, the newest first.'),
});

export const ADJUST_FLOAT = moneyWrite('POST /members/:memberId/float-adjustments', {
  summary: "Adjust a member's float",
  needs: 'write',
  decides: BY_AMOUNT,
  audit: ['member.float-request', 'member.float'],
  body: strictObject({ amount: money('In wallet currency; negative takes.'), ...EXPLAINED }),
  answer: orEffect(
    either(
      namedObject('FloatAdjustment', {
        status: Type.Literal('applied'),
        postingId: Type.String(),
        memberId: id('The member.'),
        amount: money(),
        floatBalance: money(),
        floatHeld: money(),
      }),
      WAITING,
    ),
    'The float after it, or `pendingApproval`.',
  ),
  refusals: ['unprocessable', 'wrong-state'],
});
