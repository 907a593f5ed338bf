import { type AnswerOf, MEMBER_READ_PUSH, MEMBER_SUBSCRIBE_PHONE } from '@munshi/api';
import type { AsText } from '@munshi/web';
import type { Reach } from '../reach.ts';

/** Where the service pushes to: this browser, for this sign-in. */

type Phone = AsText<AnswerOf<typeof MEMBER_SUBSCRIBE_PHONE>>['data'];
export type Subscribed =
  | { readonly is: 'subscribed'; readonly endpoint: string; readonly phone: Phone }
  /** The service cannot be reached. */
  | { readonly is: 'unreachable' }
  /** The browser will not, or cannot reach its push service. */
  | { readonly is: 'failed' };

/**
 * Has the browser subscribe with the installation's key, where it has not, and sends that to the
 * service. `before`: what was sent under this sign-in. If the service has forgotten that, the
 * browser's push service has said that it is gone, and the browser subscribes again.
 */
export async function subscribePhone(
  { read, write }: Pick<Reach, 'read' | 'write'>,
  { pushManager }: Pick<ServiceWorkerRegistration, 'pushManager'>,
  before: string | null,
): Promise<Subscribed> {
  const outcome = await read(MEMBER_READ_PUSH, {});
  if (!outcome?.ok) return { is: 'unreachable' };
  const { publicKey, phones } = outcome.answer.data;
  const phone = phones.find(({ current }) => current);
  let subscription = await pushManager.getSubscription();
  if (subscription !== null) {
    const isGone = phone === undefined && subscription.endpoint === before;
    if (isGone || keyOf(subscription) !== publicKey) {
      await subscription.unsubscribe();
      subscription = null;
    }
  }
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  subscription ??= await pushManager.subscribe(options).catch(() => null);
  if (subscription === null) return { is: 'failed' };
  const { endpoint } = subscription;
  if (phone !== undefined && endpoint === before) return { is: 'subscribed', endpoint, phone };
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  const sent = await write(MEMBER_SUBSCRIBE_PHONE, { body: { endpoint, keys: { p256dh, auth } } });
  return sent?.ok ? { is: 'subscribed', endpoint, phone: sent.answer.data } : { is: 'unreachable' };
}

/** What it was made with, base64url as the service says it. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
