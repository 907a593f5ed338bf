import {
  END_MEMBER_SESSION,
  END_MEMBER_SESSIONS,
  EXPORT_MEMBER_MOVEMENTS,
  LIST_MEMBER_MOVEMENTS,
  type MemberStandingView,
  type MovementView,
  READ_MEMBER_STANDING,
} from '@munshi/api';
import { fateWhenWithdrawn, formatMoney, stageOf } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { whyNoOrders } from '../../services/no-orders.ts';
import { found } from '../../services/refusals.ts';
import { endSignIn } from '../../services/sign-ins.ts';
import { readMemberOfLate } from '../../storage/members/member-records.ts';
import {
  listMovements,
  listOrdersInHand,
  listSameNumbers,
  type Movement,
  type OrderInHand,
} from '../../storage/members/member-standing.ts';
import { findMember } from '../../storage/members/members.ts';
import { listSignIns } from '../../storage/people/sessions.ts';
import { bind, bindFile } from '../bind.ts';
import { type CsvColumns, pagesOf, sendCsv } from '../csv.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { isMovementPlace, movementPlaceOf, readMovementPlace } from '../movements.ts';
import { jsonMoney, jsonTime } from '../values.ts';
import { callerOf } from './access.ts';

/** As many as there can be of one member. */
const SIGN_INS_MAX = 100;

/** A member's float, record and sign-ins, and ending these. */
export function memberStandingRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  bind(app, READ_MEMBER_STANDING, async ({ params: { memberId } }) => {
    const now = deps.clock.now();
    const member = found(await findMember(pool, memberId), 'Member');
    const asked = { principalId: memberId, now, after: null, limit: SIGN_INS_MAX };
    const signIns = await listSignIns(pool, asked);
    const data: MemberStandingView = {
      memberId,
      noOrdersBecause: [...new Set(whyNoOrders(member, now).map(({ code }) => code))],
      record: await readMemberOfLate(pool, memberId),
      ordersInHand: (await listOrdersInHand(pool, memberId)).map(showInHand),
      sameNumbers: await listSameNumbers(pool, memberId),
      sessions: signIns.map(({ sessionId, createdAt, lastUsedAt, expiresAt, userAgent }) => ({
        sessionId,
        createdAt: jsonTime(createdAt),
        lastUsedAt: jsonTime(lastUsedAt),
        expiresAt: jsonTime(expiresAt),
        userAgent,
      })),
    };
    return { data };
  });

  bind(app, LIST_MEMBER_MOVEMENTS, async ({ params: { memberId }, query }) => {
    found(await findMember(pool, memberId), 'Member');
    const page = pageOf(query, isMovementPlace);
    const after = page.after === null ? null : readMovementPlace(page.after);
    const rows = await listMovements(pool, memberId, { after, limit: page.limit + 1 });
    return pageAnswer(page, rows, movementPlaceOf, showMovement);
  });

  bindFile(app, EXPORT_MEMBER_MOVEMENTS, async ({ params: { memberId } }, reply) => {
    found(await findMember(pool, memberId), 'Member');
    const read = (after: string | null, limit: number) =>
      listMovements(pool, memberId, {
        after: after === null ? null : readMovementPlace(after),
        limit,
      });
    return sendCsv(reply, {
      name: 'float',
      columns: MOVEMENT_COLUMNS,
      pages: pagesOf(read, movementPlaceOf),
    });
  });

  bind(app, END_MEMBER_SESSION, async (request) => {
    const { memberId, sessionId } = request.params;
    return { data: { ended: await endSignIn(deps, callerOf(request), { memberId }, sessionId) } };
  });

  bind(app, END_MEMBER_SESSIONS, async (request) => {
    const { memberId } = request.params;
    found(await findMember(pool, memberId), 'Member');
    return { data: { ended: await endSignIn(deps, callerOf(request), { memberId }, null) } };
  });
}

const showInHand = (order: OrderInHand): MemberStandingView['ordersInHand'][0] => ({
  orderId: order.orderId,
  orderReference: order.orderReference,
  orderType: order.orderType,
  walletType: order.walletType,
  currency: order.currency,
  amount: jsonMoney(order.amount),
  status: order.status,
  stage: stageOf(order),
  dueAt: jsonTime(order.dueAt),
  ifSuspended: fateWhenWithdrawn(order),
});

const showMovement = ({ place: _, ...movement }: Movement): MovementView => ({
  movementId: movement.movementId,
  kind: movement.kind,
  amount: jsonMoney(movement.amount),
  orderId: movement.orderId,
  orderReference: movement.orderReference,
  note: movement.note,
  at: jsonTime(movement.at),
});

const MOVEMENT_COLUMNS: CsvColumns<Movement> = {
  at: ({ at }) => jsonTime(at),
  kind: ({ kind }) => kind,
  amount: ({ amount }) => formatMoney(amount),
  orderReference: ({ orderReference }) => orderReference,
  note: ({ note }) => note,
  orderId: ({ orderId }) => orderId,
  movementId: ({ movementId }) => movementId,
};
