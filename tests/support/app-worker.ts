import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { AppProxy } from './app-proxy.ts';
import type { Phone } from './push-service.ts';

/** A notification that a phone shows. */
export interface Notice {
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly silent?: boolean;
}

/** The member app's service worker, woken as the browser does it. */
export interface AppWorker {
  /** A push of this content has come, decrypted. */
  push(content: object): Promise<void>;
  /** The network is back, and the browser has been asked to say so. */
  sync(): Promise<void>;
  /** Somebody taps the notification. */
  tap(tag: string): Promise<void>;
  /** The browser has ended the subscription `before`, and its push service would make this one. */
  changeSubscription(before: Phone, next: Phone): Promise<void>;
}

/** What the browser keeps of a phone. */
export interface Shown {
  readonly notices: readonly Notice[];
  /** On the app's icon. */
  readonly badge: number;
  /** The address of the window that a tap has opened. */
  readonly opened: string | null;
  /** What its push service makes, and the key that it was asked with; null: not yet. */
  readonly subscription: Phone['subscription'];
  readonly key: string | null;
}

/**
 * Chromium as it is in tests has no notifications and no icon, and reaches no push service. In their
 * place is what the proxy keeps, with the subscription of a push service of the tests.
 */
export async function givePush(
  context: BrowserContext,
  proxy: AppProxy<Shown>,
  { subscription }: Phone,
): Promise<void> {
  proxy.kept = { notices: [], badge: 0, opened: null, subscription, key: null };
  proxy.prepend(WORKER_STANDS_IN);
  await context.addInitScript(`(() => {
    if (location.protocol === 'about:') return;
    let permission = localStorage.getItem('test-permission') ?? 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      localStorage.setItem('test-permission', 'granted');
      return (permission = 'granted');
    };
    ${PHONE_STANDS_IN}
  })()`);
}

const PHONE_STANDS_IN = `
  const readKept = async () => (await fetch('/kept')).json();
  const keepShown = async (change) =>
    void (await fetch('/kept', { method: 'PUT', body: JSON.stringify(change) }));
  const without = async (tag) => (await readKept()).notices.filter((each) => each.tag !== tag);
  const { prototype } = ServiceWorkerRegistration;
  prototype.showNotification = async (title, options) =>
    keepShown({ notices: [...(await without(options.tag)), { title, ...options }] });
  prototype.getNotifications = async ({ tag } = {}) =>
    (await readKept()).notices
      .filter((each) => tag === undefined || each.tag === tag)
      .map((each) => ({
        ...each,
        close: () => void without(each.tag).then((notices) => keepShown({ notices })),
      }));
  navigator.setAppBadge = (badge) => keepShown({ badge });
  navigator.clearAppBadge = () => keepShown({ badge: 0 });
  const subscriptionOf = ({ subscription, key }) => key === null ? null : {
    endpoint: subscription.endpoint,
    options: { applicationServerKey: Uint8Array.from(
      atob(key.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)).buffer },
    toJSON: () => subscription,
    unsubscribe: async () => { await keepShown({ key: null }); return true; },
  };
  PushManager.prototype.getSubscription = async () => subscriptionOf(await readKept());
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => {
    await keepShown({ key });
    return subscriptionOf(await readKept());
  };
`;

/**
 * The worker stops when it has nothing to do, so what tests want of it comes as an event too.
 * Browsers let it open a window after a real tap only.
 */
const WORKER_STANDS_IN = `{
  ${PHONE_STANDS_IN}
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  clients.openWindow = (opened) => keepShown({ opened });
  WindowClient.prototype.focus = async function () { return this; };
  const dispatch = async (kind, fields) => {
    const lasting = [];
    const event = Object.assign(new Event(kind), fields, { waitUntil: (work) => lasting.push(work) });
    dispatchEvent(event);
    await Promise.all(lasting);
  };
  const tap = async (tag) => {
    const [notification] = await registration.getNotifications({ tag });
    await dispatch('notificationclick', { notification });
  };
  addEventListener('push', (event) => {
    const { tapped, oldSubscription } = event.data.json();
    if (tapped === undefined && oldSubscription === undefined) return;
    event.stopImmediatePropagation();
    event.waitUntil(
      tapped === undefined ? dispatch('pushsubscriptionchange', { oldSubscription }) : tap(tapped),
    );
  });
}`;

/** Waits until the worker of the page's app is there. The page may close afterwards. */
export async function appWorker(
  context: BrowserContext,
  page: Page,
  proxy: AppProxy<Shown>,
): Promise<AppWorker> {
  const { url } = proxy;
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  const devtools = await context.newCDPSession(await context.newPage()); // stays when others close
  const about = { origin: url, registrationId: await registrationIn(devtools, `${url}/member/`) };
  async function push(content: object): Promise<void> {
    const data = JSON.stringify(content);
    await devtools.send('ServiceWorker.deliverPushMessage', { ...about, data });
  }
  return {
    push,
    async sync() {
      const event = { tag: 'outbox', lastChance: false };
      await devtools.send('ServiceWorker.dispatchSyncEvent', { ...about, ...event });
    },
    tap: (tapped) => push({ tapped }),
    changeSubscription({ subscription: oldSubscription }, { subscription }) {
      proxy.kept = { ...proxy.kept, subscription, key: null };
      return push({ oldSubscription });
    },
  };
}

async function registrationIn(devtools: CDPSession, scope: string): Promise<string> {
  const found = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === scope);
      if (own !== undefined) resolve(own.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  return found;
}
