import type { MEMBER_READ_RECOVERY, MEMBER_RECOVER } from '@munshi/api';
import type { Deps } from '../people/deps.ts';
import { bind, type Face, type OnAnyFace } from '../platform/http/bind.ts';
import { createCallerAddress, networkOf } from '../platform/http/caller.ts';
import type { PersonKind } from '../platform/sign-in/person-kinds.ts';
import { readRecovery, recover } from './service.ts';

/** For who has a recovery link, and no session. */
export function recoveryRoutes(
  face: Face<unknown>,
  deps: Deps,
  kind: PersonKind,
  endpoints: {
    readonly read: OnAnyFace<typeof MEMBER_READ_RECOVERY>;
    readonly use: OnAnyFace<typeof MEMBER_RECOVER>;
  },
): void {
  const callerAddress = createCallerAddress(deps.trustedProxies);
  bind(face, endpoints.read, async ({ body }) => ({
    data: await readRecovery(deps, kind, body.token),
  }));
  bind(face, endpoints.use, async ({ body, raw }) => {
    const address = callerAddress(raw);
    return { data: await recover(deps, kind, body, { address, network: networkOf(address) }) };
  });
}
