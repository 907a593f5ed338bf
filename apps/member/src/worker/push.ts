import { MEMBER_MARK_TEST_SEEN, MEMBER_READ_ORDER } from '@munshi/api';
import { isShown, type Pushed, readWords, showOrder, showTest } from './notices.ts';
import { createReach } from './reach.ts';
import { ownWindows } from './windows.ts';

declare const self: ServiceWorkerGlobalScope;

/** Safari ends the subscription of an app that shows nothing, even where the app is in front. */
const MUST_SHOW = /AppleWebKit/.test(navigator.userAgent) && !/Chrom/.test(navigator.userAgent);

/**
 * A push has come. Windows get a message, and look again. One that is in front sounds the alarm
 * itself; else a notification does, at once with what the push says and then with the method, which
 * is asked for.
 */
export async function takePush(pushed: Pushed): Promise<void> {
  const windows = await ownWindows();
  for (const window of windows) window.postMessage({ is: 'pushed', ...pushed });
  const inFront = windows.some(({ visibilityState }) => visibilityState === 'visible');
  const reach = await createReach(self.registration.scope);
  const words = await readWords(reach.database);
  const { orderId, kind } = pushed;
  if (kind === 'test') {
    await showTest(words);
    if (!inFront) await reach.write(MEMBER_MARK_TEST_SEEN, { params: { testId: orderId } });
    return;
  }
  if (inFront && !MUST_SHOW) return;
  await showOrder(words, pushed, { silent: inFront });
  const order = await reach.read(MEMBER_READ_ORDER, { params: { orderId } });
  if (order?.ok && (await isShown(orderId)))
    await showOrder(words, pushed, { method: order.answer.data.walletType, silent: true });
}
