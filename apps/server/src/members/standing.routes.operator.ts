import {
  END_MEMBER_SESSION,
  END_MEMBER_SESSIONS,
  EXPORT_MEMBER_MOVEMENTS,
  type Given,
  LIST_MEMBER_MOVEMENTS,
  type MemberStandingView,
  READ_MEMBER_ALERTS,
  READ_MEMBER_STANDING,
} from '@munshi/api';
import {
  dayOf,
  fateWhenWithdrawn,
  type Instant,
  isoTime,
  stageOf,
  startOfUtcDay,
} from '@munshi/core';
import { findStop } from '../member-alerts/missed.store.ts';
import { showPhone } from '../member-alerts/phones.routes.ts';
import { listSubscriptions } from '../member-alerts/push.store.ts';
import { listAlertsOfMember } from '../member-alerts/store.ts';
import { readOrderCurrencies } from '../merchants/store.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { listSignIns } from '../people/sessions.store.ts';
import { endSignIn } from '../people/sign-ins.service.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { bind, bindCsv } from '../platform/http/bind.ts';
import { amountCell, type CsvColumns, pagesOf, valueCell } from '../platform/http/csv.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { readMemberDays } from './days.service.ts';
import { movementPlaceOf, readMovementPlace } from './movements.routes.ts';
import { whyNoOrders } from './no-orders.service.ts';
import { readMemberOfLate } from './records.store.ts';
import {
  listMovements,
  listOrdersInHand,
  listSameNumbers,
  type Movement,
  type OrderInHand,
} from './standing.store.ts';
import { findMember } from './store.ts';

/** As many as there can be of one member. */
const SIGN_INS_MAX = 100;
const ALERTS_SHOWN = 50;

/** A member's float, record, alerts and sign-ins, and ending these. */
export function memberStandingRoutes(face: OperatorFace, deps: Deps): void {
  const { pool } = deps.database;

  bind(face, READ_MEMBER_STANDING, async ({ params: { memberId } }) => {
    const now = deps.clock.now();
    const member = found(await findMember(pool, memberId), 'Member');
    const asked = { principalId: memberId, now, after: null, limit: SIGN_INS_MAX };
    const signIns = await listSignIns(pool, asked);
    const data: Given<MemberStandingView> = {
      memberId,
      noOrdersBecause: [...new Set(whyNoOrders(member, now).map(({ code }) => code))],
      record: await readMemberOfLate(pool, memberId),
      today: await readToday(pool, memberId, now),
      ordersInHand: (await listOrdersInHand(pool, memberId)).map(showInHand),
      sameNumbers: await listSameNumbers(pool, memberId),
      sessions: signIns,
      orderCurrencies: await readOrderCurrencies(pool),
    };
    return { data };
  });

  bind(face, READ_MEMBER_ALERTS, async ({ params: { memberId } }) => {
    found(await findMember(pool, memberId), 'Member');
    const phones = await listSubscriptions(pool, [memberId], deps.clock.now());
    const stop = await findStop(pool, memberId);
    const alerts = await listAlertsOfMember(pool, memberId, ALERTS_SHOWN);
    return {
      data: {
        memberId,
        phones: phones.map((phone) => showPhone(phone, null)),
        takenOffline: stop ?? null,
        alerts: alerts.map((alert) => ({
          ...alert,
          seenAfterMs: alert.seenAt === null ? null : alert.seenAt - alert.alertedAt,
          missed: alert.missedAt !== null,
        })),
      },
    };
  });

  bind(face, LIST_MEMBER_MOVEMENTS, async ({ params: { memberId }, query }) => {
    found(await findMember(pool, memberId), 'Member');
    const page = pageOf(query, readMovementPlace);
    const rows = await listMovements(pool, memberId, page.place);
    return pageAnswer(page, rows, movementPlaceOf);
  });

  bindCsv(face, EXPORT_MEMBER_MOVEMENTS, async ({ params: { memberId } }) => {
    found(await findMember(pool, memberId), 'Member');
    const read = (after: string | null, limit: number) =>
      listMovements(pool, memberId, {
        after: after === null ? null : (readMovementPlace(after) ?? null),
        limit,
      });
    return { name: 'float', columns: MOVEMENT_COLUMNS, pages: pagesOf(read, movementPlaceOf) };
  });

  bind(face, END_MEMBER_SESSION, async (request, caller) => {
    const { memberId, sessionId } = request.params;
    return { data: await doWrite(deps, caller, endSignIn({ memberId }, sessionId)) };
  });

  bind(face, END_MEMBER_SESSIONS, async (request, caller) => {
    const { memberId } = request.params;
    found(await findMember(pool, memberId), 'Member');
    return { data: await doWrite(deps, caller, endSignIn({ memberId }, null)) };
  });
}

async function readToday(db: Queryable, memberId: string, now: Instant) {
  const period = { from: startOfUtcDay(dayOf(now)), to: startOfUtcDay(dayOf(now) + 1) };
  const [day] = await readMemberDays(db, memberId, period, 0);
  const none = { count: 0, amount: 0n };
  return { received: day?.received ?? none, paid: day?.paid ?? none };
}

const showInHand = (order: OrderInHand): Given<MemberStandingView>['ordersInHand'][0] => ({
  ...order,
  stage: stageOf(order),
  ifSuspended: fateWhenWithdrawn(order),
});

const MOVEMENT_COLUMNS: CsvColumns<Movement> = {
  at: ({ at }) => valueCell(isoTime(at)),
  kind: ({ kind }) => kind,
  amount: ({ amount }) => amountCell(amount),
  orderReference: ({ orderReference }) => orderReference,
  note: ({ note }) => note,
  orderId: ({ orderId }) => orderId,
  movementId: ({ movementId }) => movementId,
};
