import {
  READ_ALERT_CHANNELS,
  READ_MEMBER_ALERTS,
  REMOVE_ALERT_CHANNEL,
  SET_ALERT_CHANNEL,
  TEST_ALERT_CHANNEL,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { bindWrite } from '../door/door.ts';
import { findStop } from '../members/missed-alerts.store.ts';
import { listAlertsOfMember } from '../members/order-alerts.store.ts';
import { findMember } from '../members/store.ts';
import { callerOf } from '../people/access.operator.ts';
import { bind } from '../platform/http/bind.ts';
import type { Deps } from '../platform/http/deps.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { explainRemoval, removeChannel, setChannel, testChannel } from './channels.service.ts';
import { readChannels } from './channels.store.ts';
import { showPhone } from './phones.routes.ts';
import { listSubscriptions } from './push.store.ts';

const ALERTS_SHOWN = 50;

/** Channels by which members are alerted, and how one member is. */
export function alertRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  bind(app, READ_ALERT_CHANNELS, async () => ({
    data: { channels: await readChannels(pool) },
  }));

  bind(app, SET_ALERT_CHANNEL, async (request) => ({
    data: await doWrite(deps, callerOf(request), setChannel(deps, request.body)),
  }));

  bindWrite(app, deps, REMOVE_ALERT_CHANNEL, {
    read: ({ body }) => body.position,
    explain: explainRemoval,
    work: removeChannel,
  });

  bind(app, TEST_ALERT_CHANNEL, async (request) => {
    const { outcome, ...result } = await testChannel(
      deps,
      callerOf(request),
      request.body.position,
    );
    return { data: { delivered: outcome === 'acknowledged', ...result } };
  });

  bind(app, READ_MEMBER_ALERTS, async ({ params: { memberId } }) => {
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
}
