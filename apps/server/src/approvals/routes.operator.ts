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
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findApproval, listApprovals } from '../engine/rows/approvals.ts';
import {
  askingOperator,
  callerOf,
  type Operator,
  requireCapability,
} from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind, withoutBody } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { neededToAsk } from './asked-endpoint.ts';
import { showEffect } from './effects.ts';
import {
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

type About = FastifyRequest<{ Params: { approvalId: string } }>;

/** Requests for a second operator (security.md#two-operators). */
export function approvalRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;

  const find = async ({ params }: About) =>
    found(await findApproval(database.pool, params.approvalId), 'Request');
  const showFor = async ({ operator }: About, asked: Approval) => {
    const rules = await readRules(database.pool, [asked]);
    return (approval: Approval) => showApproval(approval, operator, clock.now(), rules);
  };
  const findAllowed = async (request: About): Promise<Approval> => {
    const approval = await find(request);
    requireCapability(request.operator.role, neededToAsk(approval));
    return approval;
  };

  bind(app, LIST_APPROVALS, async ({ query, operator }) => {
    const page = pageOf(query);
    const { status = null, target = null } = query;
    const now = clock.now();
    const question = { status, target, now, ...page.place };
    const rows = await listApprovals(database.pool, question);
    const rules = await readRules(database.pool, rows);
    const show = (approval: Approval) => showApproval(approval, operator, now, rules);
    return pageAnswer(page, rows, ({ approvalId }) => approvalId, show);
  });

  bind(app, READ_APPROVAL, async (request) => {
    const approval = await find(request);
    return { data: (await showFor(request, approval))(approval) };
  });

  bind(
    app,
    APPROVE_REQUEST,
    async (request) => {
      const approval = await findAllowed(request);
      const show = await showFor(request, approval);
      const caller = callerOf(request);
      const { note = null, internalNote } = request.body;
      const written = { note, ...forOperators({ internalNote }) };
      if (caller.preview)
        return { data: showEffect(await previewApproval(deps, caller, approval, written)) };
      return { data: await approve(deps, caller, approval, { ...written, show }) };
    },
    { preValidation: withoutBody },
  );

  bind(app, DECLINE_REQUEST, async (request) => {
    const approval = await findAllowed(request);
    const show = await showFor(request, approval);
    const caller = callerOf(request);
    const work = decline(caller.actor, approval.approvalId, request.body);
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(app, FETCH_REQUEST, async (request) => {
    const { params, operator } = request;
    const who = askingOperator(operator);
    return { data: await fetchApproved(deps, callerOf(request), who, params.approvalId) };
  });
}
