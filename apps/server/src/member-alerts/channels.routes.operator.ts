import {
  READ_ALERT_CHANNELS,
  REMOVE_ALERT_CHANNEL,
  SET_ALERT_CHANNEL,
  TEST_ALERT_CHANNEL,
} from '@munshi/api';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { doWrite } from '../writes/write.ts';
import { removeChannel, setChannel, testChannel } from './channels.service.ts';
import { readChannels } from './channels.store.ts';

/** Channels by which members are alerted. */
export function alertChannelRoutes(face: OperatorFace, deps: Deps): void {
  const { pool } = deps.database;

  bind(face, READ_ALERT_CHANNELS, async () => ({
    data: { channels: await readChannels(pool) },
  }));

  bind(face, SET_ALERT_CHANNEL, async (request, caller) => ({
    data: await doWrite(deps, caller, setChannel(deps, request.body)),
  }));

  bind(face, REMOVE_ALERT_CHANNEL, async (request, caller) => ({
    data: await doWrite(deps, caller, removeChannel(request.body.position)),
  }));

  bind(face, TEST_ALERT_CHANNEL, async (request, caller) => {
    const { outcome, ...result } = await testChannel(deps, caller, request.body.position);
    return { data: { delivered: outcome === 'acknowledged', ...result } };
  });
}
