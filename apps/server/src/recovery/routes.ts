import type { MEMBER_READ_RECOVERY, MEMBER_RECOVER } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../people/deps.ts';
import { bind, type OnAnyFace } from '../platform/http/bind.ts';
import { createCallerAddress, networkOf } from '../platform/http/caller.ts';
import type { PersonKind } from '../platform/sign-in/person-kinds.ts';
import { readRecovery, recover } from './service.ts';

/** For who has a recovery link, and no session. */
export function recoveryRoutes(
  app: FastifyInstance,
  deps: Deps,
  face: PersonKind,
  endpoints: {
    readonly read: OnAnyFace<typeof MEMBER_READ_RECOVERY>;
    readonly use: OnAnyFace<typeof MEMBER_RECOVER>;
  },
): void {
  const callerAddress = createCallerAddress(deps.trustedProxies);
  bind(app, endpoints.read, async ({ body }) => ({
    data: await readRecovery(deps, face, body.token),
  }));
  bind(app, endpoints.use, async ({ body, raw }) => {
    const address = callerAddress(raw);
    return { data: await recover(deps, face, body, { address, network: networkOf(address) }) };
  });
}
