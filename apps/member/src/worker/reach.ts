import { MEMBER_WHO_AM_I } from '@munshi/api';
import { createApiClient, createServerClock, SERVER_TIME } from '@munshi/web';
import { UNATTENDED } from '@munshi/web/presence';
import { connect } from '../outbox/indexed-db.ts';
import type { Reach } from '../reach.ts';

/**
 * How the worker asks the service. It is made for each event: between two of them another member
 * may have signed in, and hours may have passed. `scope`: the app's address.
 */
export async function createReach(scope: string): Promise<Reach> {
  const clock = createServerClock();
  let signedIn: { readonly token: string; readonly memberId: string } | undefined;
  let timeKnown = false;
  const api = createApiClient({
    baseUrl: scope.replace(/\/member\/$/, ''),
    attemptsMax: 1,
    csrfToken: () => signedIn?.token ?? null,
    // A phone that lies somewhere is woken by each push: its sign-in ends all the same.
    headers: () => UNATTENDED,
    onAnswer({ headers }, sentAt) {
      clock.learn(headers.get(SERVER_TIME), sentAt);
      timeKnown ||= headers.has(SERVER_TIME);
    },
  });
  const read: Reach['read'] = (endpoint, request) =>
    api.call(endpoint, request).catch(() => undefined);
  const whoAmI = async () => {
    const outcome = await read(MEMBER_WHO_AM_I, {});
    if (outcome?.ok) {
      const { csrfToken: token, member } = outcome.answer.data;
      signedIn = token === null ? undefined : { token, memberId: member.memberId };
    } else if (outcome?.refusal.status === 401) signedIn = undefined;
  };
  return {
    database: connect(),
    read,
    memberId: () => signedIn?.memberId,
    async write(endpoint, request, by) {
      if (signedIn === undefined) await whoAmI();
      if (signedIn === undefined || (by !== undefined && by !== signedIn.memberId))
        return undefined;
      return read(endpoint, request);
    },
    now: clock.now,
    async learnTime() {
      if (!timeKnown) await whoAmI();
      return timeKnown;
    },
    forgetTime() {
      timeKnown = false;
    },
    learnOrder() {}, // nothing shows here
  };
}
