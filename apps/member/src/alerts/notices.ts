import { BASE } from '../service.ts';
import { forgetPush } from './standing.ts';

/** What the phone itself shows of the app: its notifications, and the number on its icon. */

/** Undefined where the browser has no worker for us. */
export const registrationOf = async (): Promise<ServiceWorkerRegistration | undefined> =>
  navigator.serviceWorker?.getRegistration(`${BASE}/`).catch(() => undefined);

/** What the app shows itself is not shown twice. */
export async function closeNotices(): Promise<void> {
  const registration = await registrationOf();
  for (const notice of (await registration?.getNotifications?.()) ?? []) notice.close();
}

/** The number on the app's icon, where phones have one. */
export function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  void (count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count)).catch(() => {});
}

/** At sign-out: nothing of the member stays on the screen, and nothing is pushed any more. */
export async function forgetNotices(): Promise<void> {
  showBadge(0);
  forgetPush();
  await closeNotices();
  const subscription = await (await registrationOf())?.pushManager?.getSubscription();
  await subscription?.unsubscribe().catch(() => false);
}
