import {
  READ_ALERT_CHANNELS,
  REMOVE_ALERT_CHANNEL,
  SET_ALERT_CHANNEL,
  TEST_ALERT_CHANNEL,
} from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { operatorWrite } from '../door/door.ts';
import { callerOf } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { doWrite } from '../writes/write.ts';
import { explainRemoval, removeChannel, setChannel, testChannel } from './channels.service.ts';
import { readChannels } from './channels.store.ts';

/** Channels by which members are alerted. */
export function alertChannelRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;

  bind(app, READ_ALERT_CHANNELS, async () => ({
    data: { channels: await readChannels(pool) },
  }));

  bind(app, SET_ALERT_CHANNEL, async (request) => ({
    data: await doWrite(deps, callerOf(request), setChannel(deps, request.body)),
  }));

  bind(app, TEST_ALERT_CHANNEL, async (request) => {
    const { outcome, ...result } = await testChannel(
      deps,
      callerOf(request),
      request.body.position,
    );
    return { data: { delivered: outcome === 'acknowledged', ...result } };
  });
}

/** To remove one waits for a second operator. */
export const alertChannelWrites = (deps: Deps) => ({
  REMOVE_ALERT_CHANNEL: operatorWrite(deps, REMOVE_ALERT_CHANNEL, {
    read: ({ body }) => body.position,
    explain: explainRemoval,
    work: removeChannel,
  }),
});
