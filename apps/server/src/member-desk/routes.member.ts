import { MEMBER_LIST_ORDERS, MEMBER_MARK_SEEN, MEMBER_READ_ORDER, type QueryOf } from '@munshi/api';
import { type Instant, readOrderSearch, zonesAhead } from '@munshi/core';
import { seen } from '../member-alerts/service.ts';
import { findClosedOrders, findOpenOrders, type OrderFilters } from '../members/history.store.ts';
import {
  listClosedOrders,
  listOpenOrders,
  type MemberOrderQuestion,
  type MemberOrderReader,
} from '../members/orders.store.ts';
import type { MemberFace } from '../people/access.member.ts';
import type { Deps } from '../people/deps.ts';
import { withinTime } from '../platform/database/limited.ts';
import { refusingSlow } from '../platform/database/slow.ts';
import { bind } from '../platform/http/bind.ts';
import { compressed } from '../platform/http/compressed.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { readTime } from '../platform/http/values.ts';
import { found } from '../platform/refusals.ts';
import { readShowing, readShown } from './view.member.ts';

/** What a member has in hand and had. Everybody else's orders are not found. */
export function orderRoutes(
  face: MemberFace,
  deps: Deps & { readonly readers: MemberOrderReader },
): void {
  const { database, readers, clock } = deps;

  bind(
    face,
    MEMBER_LIST_ORDERS,
    async ({ query }, caller) => {
      const { memberId } = caller.principal;
      const page = pageOf(query);
      const asked = { memberId, ...page.place };
      const orders = await listOrders(asked, query);
      const show = await readShowing(deps, orders, memberId);
      return pageAnswer(page, orders, ({ orderId }) => orderId, show);
    },
    { onSend: compressed },
  );

  function listOrders(asked: MemberOrderQuestion, query: QueryOf<typeof MEMBER_LIST_ORDERS>) {
    const { pool } = database;
    const [list, find] =
      query.state === 'closed'
        ? [listClosedOrders, findClosedOrders]
        : [listOpenOrders, findOpenOrders];
    const filters = filtersOf(query, clock.now());
    if (Object.values(filters).every((filter) => filter === null)) return list(pool, asked);
    return refusingSlow(
      () => 'Choose a shorter time with `from` and `to`.',
      () => withinTime({ pool, reader: asked.memberId }, (client) => find(client, asked, filters)),
    );
  }

  bind(face, MEMBER_READ_ORDER, async ({ params }, caller) => ({
    data: await readShown(deps, params.orderId, caller.principal.memberId),
  }));

  bind(face, MEMBER_MARK_SEEN, async ({ params: { orderId } }, caller) => {
    const { memberId } = caller.principal;
    const order = found(await readers.memberOrder({ memberId, orderId }), 'Order');
    const at = order.memberId === memberId ? await seen({ database, clock }, order) : undefined;
    return {
      data: {
        orderId,
        seenAt: at?.seenAt ?? null,
        seenAfterMs: at === undefined ? null : at.seenAt - at.alertedAt,
      },
    };
  });
}

function filtersOf(query: QueryOf<typeof MEMBER_LIST_ORDERS>, now: Instant): OrderFilters {
  const text = query.search?.trim() ?? '';
  const zones = zonesAhead(query.utcOffset ?? 0);
  return {
    from: readTime('from', query.from, zones) ?? null,
    to: readTime('to', query.to, zones) ?? null,
    accountId: query.accountId ?? null,
    search: text === '' ? null : readOrderSearch(text, { now, zones }),
  };
}
