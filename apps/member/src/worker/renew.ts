import { subscribePhone } from '../alerts/subscribe.ts';
import { createReach } from './reach.ts';

declare const self: ServiceWorkerGlobalScope;

/** The browser has ended a subscription: it makes another one, and the service gets it. */
export async function renewSubscription(before: string | null): Promise<void> {
  const reach = await createReach(self.registration.scope);
  await subscribePhone(reach, self.registration, before);
}
