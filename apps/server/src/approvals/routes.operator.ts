import {
  APPROVE_REQUEST,
  type ApprovalView,
  DECLINE_REQUEST,
  FETCH_REQUEST,
  type Given,
  LIST_APPROVALS,
  READ_APPROVAL,
  READ_SECOND_OPERATOR_RULE,
} from '@munshi/api';
import {
  type Approval,
  daySumOf,
  forOperators,
  hasExpired,
  type Instant,
  isSharedSum,
  limitAlone,
  movedOn,
} from '@munshi/core';
import { findApproval, listApprovals } from '../engine/rows/approvals.ts';
import { findMovedAlone } from '../engine/rows/operator-sums.ts';
import { type Operator, type OperatorFace, requireCapability } from '../people/access.operator.ts';
import { readApprovers } from '../people/approvers.service.ts';
import type { Deps } from '../people/deps.ts';
import { bind, withoutBody } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { doWrite } from '../writes/write.ts';
import { neededToAsk, WRITES_OF_TWO } from './asked-endpoint.ts';
import { showEffect } from './effects.ts';
import { type ApprovalDeps, approve, decline, fetchApproved, previewApproval } from './service.ts';
import { readShownWith, type ShownWith, showRequest } from './view.operator.ts';

const showApproval = (
  approval: Approval,
  operator: Operator,
  now: Instant,
  beside: ShownWith,
): Given<ApprovalView> => ({
  ...approval,
  ...showRequest(approval, operator, now, beside),
  status: hasExpired(approval, now) ? 'expired' : approval.status,
});

interface About {
  readonly params: { readonly approvalId: string };
}

/** Requests for a second operator (security.md#two-operators). */
export function approvalRoutes(face: OperatorFace, deps: Deps & ApprovalDeps): void {
  const { database, clock } = deps;

  const find = async ({ params }: About) =>
    found(await findApproval(database.pool, params.approvalId), 'Request');
  const showFor = async (operator: Operator, asked: Approval) => {
    const beside = await readShownWith(database.pool, deps, [asked]);
    return (approval: Approval) => showApproval(approval, operator, clock.now(), beside);
  };
  const findAllowed = async (request: About, caller: Operator): Promise<Approval> => {
    const approval = await find(request);
    requireCapability(caller, neededToAsk(approval));
    return approval;
  };

  bind(face, LIST_APPROVALS, async ({ query }, operator) => {
    const page = pageOf(query);
    const { status = null, target = null } = query;
    const now = clock.now();
    const question = { status, target, now, ...page.place };
    const rows = await listApprovals(database.pool, question);
    const beside = await readShownWith(database.pool, deps, rows);
    const show = (approval: Approval) => showApproval(approval, operator, now, beside);
    return pageAnswer(page, rows, ({ approvalId }) => approvalId, show);
  });

  bind(face, READ_SECOND_OPERATOR_RULE, async (_request, operator) => {
    const { requireSecondOperator, adjustmentApprovalLimit } = await readPlatformSettings(
      database.pool,
    );
    const sumOf = daySumOf(operator);
    const sum = await findMovedAlone(database.pool, sumOf);
    const today = sum === undefined ? 0n : movedOn(sum, clock.now());
    const settings = { requireSecondOperator, adjustmentApprovalLimit };
    const alone = limitAlone(settings, { kind: 'adjustment', today });
    return {
      data: {
        requireSecondOperator,
        limit: adjustmentApprovalLimit,
        left: alone?.left ?? null,
        shared: isSharedSum(sumOf),
        approvers: (await readApprovers(database.pool, deps)).map(({ name }) => name),
        rules: WRITES_OF_TWO,
      },
    };
  });

  bind(face, READ_APPROVAL, async (request, caller) => {
    const approval = await find(request);
    return { data: (await showFor(caller, approval))(approval) };
  });

  bind(
    face,
    APPROVE_REQUEST,
    async (request, caller) => {
      const approval = await findAllowed(request, caller);
      const show = await showFor(caller, approval);
      const { note = null, internalNote } = request.body;
      const written = { note, ...forOperators({ internalNote }) };
      if (caller.preview)
        return { data: showEffect(await previewApproval(deps, caller, approval, written)) };
      return { data: await approve(deps, caller, approval, { ...written, show }) };
    },
    { preValidation: withoutBody },
  );

  bind(face, DECLINE_REQUEST, async (request, caller) => {
    const approval = await findAllowed(request, caller);
    const show = await showFor(caller, approval);
    const work = decline(caller.actor, approval.approvalId, request.body);
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(face, FETCH_REQUEST, async ({ params }, caller) => ({
    data: await fetchApproved(deps, caller, params.approvalId),
  }));
}
