import {
  APPROVE_REQUEST,
  type ApprovalView,
  DECLINE_REQUEST,
  FETCH_REQUEST,
  type Given,
  LIST_APPROVALS,
  READ_APPROVAL,
} from '@munshi/api';
import { type Approval, forOperators, hasExpired, type Instant } from '@munshi/core';
import { findApproval, listApprovals } from '../engine/rows/approvals.ts';
import { type Operator, type OperatorFace, requireCapability } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind, withoutBody } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { neededToAsk } from './asked-endpoint.ts';
import { showEffect } from './effects.ts';
import {
  type ApprovalDeps,
  approve,
  decline,
  fetchApproved,
  previewApproval,
  type Rules,
  readRules,
} from './service.ts';
import { showRequest } from './view.operator.ts';

const showApproval = (
  approval: Approval,
  operator: Operator,
  now: Instant,
  rules: Rules,
): Given<ApprovalView> => ({
  ...approval,
  ...showRequest(approval, operator, now, rules),
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
    const rules = await readRules(database.pool, [asked]);
    return (approval: Approval) => showApproval(approval, operator, clock.now(), rules);
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
    const rules = await readRules(database.pool, rows);
    const show = (approval: Approval) => showApproval(approval, operator, now, rules);
    return pageAnswer(page, rows, ({ approvalId }) => approvalId, show);
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
