import { createSender, type Kept, outboxStore, sendPicture } from '../outbox/decisions.ts';
import { pictureStore } from '../outbox/indexed-db.ts';
import { createOutbox } from '../outbox/outbox.ts';
import { createPictureQueue } from '../outbox/pictures.ts';
import type { Reach } from '../reach.ts';
import { readWords, showUnsent } from './notices.ts';
import { createReach } from './reach.ts';
import { ownWindows } from './windows.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Sends what waits on the phone, as a window of the app would: once, in its order, and nothing late
 * without asking. Rejects where the service cannot be reached; the browser calls again later.
 */
export async function sendWaiting(): Promise<void> {
  const reach = await createReach(self.registration.scope);
  const outOfReach = new Error('The service is out of reach.');
  // It knows who is signed in, and only theirs may be sent.
  if (!(await reach.learnTime()) || reach.memberId() === undefined) throw outOfReach;
  const store = outboxStore(reach);
  const before = await store.all();
  const news = new BroadcastChannel('munshi-member outbox');
  const outbox = createOutbox<Kept>(store, {
    ...createSender(reach),
    owner: crypto.randomUUID(),
    later: () => {}, // an event ends, and the next one looks at everything
    changed: () => news.postMessage(null),
  });
  await outbox.flush();
  news.close();
  await sendPictures(reach);
  const after = await store.all();
  const stuck = after.filter(
    ({ id, state }) =>
      (state === 'asking' || state === 'refused') &&
      before.find((entry) => entry.id === id)?.state !== state,
  );
  const windows = await ownWindows();
  const isSeen = windows.some(({ visibilityState }) => visibilityState === 'visible');
  if (stuck.length > 0 && !isSeen && Notification.permission === 'granted')
    await showUnsent(await readWords(reach.database), stuck);
  const left = [...after, ...(await pictureStore(reach.database, reach.memberId).all())];
  if (left.some(({ state }) => state === 'ready')) throw outOfReach;
}

async function sendPictures(reach: Reach): Promise<void> {
  const news = new BroadcastChannel('munshi-member pictures');
  const queue = createPictureQueue(pictureStore(reach.database, reach.memberId), {
    send: (picture) => sendPicture(reach, picture),
    alone: (work) => navigator.locks.request('munshi-member pictures', work),
    later: () => {},
    changed: () => news.postMessage(null),
  });
  await queue.flush();
  news.close();
}
