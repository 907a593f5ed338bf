import {
  READ_ALERT_CHANNELS,
  READ_MEMBER_ALERTS,
  REMOVE_ALERT_CHANNEL,
  SET_ALERT_CHANNEL,
  TEST_ALERT_CHANNEL,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import {
  explainRemoval,
  removeChannel,
  setChannel,
  testChannel,
} from '../../services/alert-channels.ts';
import { found } from '../../services/refusals.ts';
import { doWrite } from '../../services/write.ts';
import { readChannels } from '../../storage/maintenance/alert-channels.ts';
import { findMember } from '../../storage/members/members.ts';
import { findStop } from '../../storage/members/missed-alerts.ts';
import { listAlertsOfMember } from '../../storage/members/order-alerts.ts';
import { listSubscriptions } from '../../storage/members/push.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { showPhone } from '../phones.ts';
import { callerOf } from './access.ts';
import { bindWrite } from './door.ts';

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
