import { read, write } from '../session.ts';
import { registrationOf } from './notices.ts';
import { note, standing } from './standing.ts';
import { type Subscribed, subscribePhone } from './subscribe.ts';

/**
 * Has alerts pushed to this phone under the sign-in of now. The service is called again only if
 * something has changed.
 */
export async function connect(): Promise<Subscribed> {
  const registration = await registrationOf();
  if (registration?.pushManager === undefined) return { is: 'failed' };
  const subscribed = await subscribePhone(
    { read, write },
    registration,
    standing.value.endpoint,
  ).catch((): Subscribed => ({ is: 'failed' }));
  if (subscribed.is === 'subscribed')
    note({ endpoint: subscribed.endpoint, testMs: subscribed.phone.testSeenAfterMs });
  if (subscribed.is === 'failed') note({ endpoint: null, testMs: null });
  return subscribed;
}
