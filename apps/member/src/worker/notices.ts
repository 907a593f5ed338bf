import { localAmountText } from '@munshi/web';
import { AMOUNT, type NoticeWords, WORDS } from '../alerts/notice-words.ts';
import type { Waiting } from '../outbox/decisions.ts';
import { type Database, readKept } from '../outbox/indexed-db.ts';

/** Notifications of the worker: an amount and a method, never a name or a number of somebody. */

declare const self: ServiceWorkerGlobalScope;

/** What a push says. */
export interface Pushed {
  /** Of a test, its own. */
  readonly orderId: string;
  readonly kind: 'assigned' | 'customer-confirmed' | 'test';
  readonly amount: string;
  readonly currency: string;
}

/** Members of it that browsers have and the types have not. */
interface Options extends NotificationOptions {
  readonly renotify?: boolean;
  readonly vibrate?: readonly number[];
}

const CALLING: Options = {
  renotify: true,
  requireInteraction: true,
  vibrate: [300, 120, 300, 120, 600],
};

export const readWords = (database: Database): Promise<NoticeWords | null> =>
  readKept<NoticeWords>(database, WORDS);

/** `PKR 4,200`, in one piece where the sentence runs the other way. */
function moneyIn(words: NoticeWords | null, amount: string, currency: string): string {
  const text = localAmountText(amount, currency);
  return words?.direction === 'rtl' ? `\u2066${text}\u2069` : text;
}

/** An order that calls. The same order again takes the place of the one before. */
export async function showOrder(
  words: NoticeWords | null,
  { orderId, kind, amount, currency }: Pushed,
  { method, silent }: { readonly method?: string; readonly silent: boolean },
): Promise<void> {
  const money = moneyIn(words, amount, currency);
  const name = method && words?.methods[method];
  await show(words, {
    tag: orderId,
    title: words?.titles[kind] ?? 'Munshi',
    body: name === undefined ? money : `${money} · ${name}`,
    path: `orders/${orderId}`,
    more: silent ? { silent } : CALLING,
  });
  const open = await self.registration.getNotifications();
  const orders = open.filter(({ data }) => data?.path?.startsWith('orders/'));
  await navigator.setAppBadge?.(orders.length).catch(() => {});
}

/** Whether it is still there: nobody has swiped it away. */
export const isShown = async (tag: string): Promise<boolean> =>
  (await self.registration.getNotifications({ tag })).length > 0;

export const showTest = (words: NoticeWords | null): Promise<void> =>
  show(words, {
    tag: 'test',
    title: words?.titles.test ?? 'Munshi',
    body: words?.testBody ?? '',
    path: 'account/alerts',
    more: { renotify: true },
  });

/** What somebody has done and what was not sent for them: only they know whether it is right. */
export const showUnsent = (words: NoticeWords | null, entries: readonly Waiting[]): Promise<void> =>
  show(words, {
    tag: 'unsent',
    title: words?.unsent ?? 'Munshi',
    body: entries
      .map(({ action: { deed, amount, currency } }) =>
        (words?.deeds[deed.kind] ?? AMOUNT).replace(AMOUNT, moneyIn(words, amount, currency)),
      )
      .join('\n'),
    path: '',
    more: CALLING,
  });

interface Shown {
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** Where a tap leads, below the app's address. */
  readonly path: string;
  readonly more: Options;
}

const show = (words: NoticeWords | null, { tag, title, body, path, more }: Shown): Promise<void> =>
  self.registration.showNotification(title, {
    ...{ tag, body, data: { path }, icon: 'icon-192.png', badge: 'icon-192.png' },
    ...(words !== null && { lang: words.language, dir: words.direction }),
    ...more,
  });
