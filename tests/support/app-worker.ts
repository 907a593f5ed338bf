import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import type { Phone } from './push-service.ts';
import type { Service } from './service.ts';

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
  notices(): Promise<readonly Notice[]>;
  /** Somebody taps it. Answers the address that a new window would have opened. */
  tap(tag: string): Promise<string | null>;
  /** The browser has ended the subscription `before`, and its push service would make this one. */
  changeSubscription(before: Phone, next: Phone): Promise<void>;
}

/**
 * Chromium as it is in tests has no notifications and reaches no push service. In their place are
 * a list, and the subscription of a push service of the tests; from the next page on.
 */
export async function givePush(context: BrowserContext, phone: Phone): Promise<void> {
  await context.addInitScript(`(() => {
    if (location.protocol === 'about:') return;
    let permission = localStorage.getItem('test-permission') ?? 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      localStorage.setItem('test-permission', 'granted');
      return (permission = 'granted');
    };
    ${subscribeTo(phone)}
  })()`);
}

const subscribeTo = ({ subscription }: Phone) => `(() => {
  const made = ${JSON.stringify(subscription)};
  const kept = 'localStorage' in globalThis ? localStorage : {};
  const show = (applicationServerKey) => ({
    endpoint: made.endpoint,
    options: { applicationServerKey },
    toJSON: () => made,
    unsubscribe: async () => { delete kept['test-key']; return true; },
  });
  const bytes = (key) => Uint8Array.from(
    atob(key.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0)).buffer;
  PushManager.prototype.getSubscription = async () =>
    kept['test-key'] === undefined ? null : show(bytes(kept['test-key']));
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    kept['test-key'] = applicationServerKey;
    return show(bytes(applicationServerKey));
  };
})();`;

/** Waits until the worker of the page's app serves it. The page may close afterwards. */
export async function appWorker(
  context: BrowserContext,
  page: Page,
  service: Service,
): Promise<AppWorker> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const devtools = await context.newCDPSession(await context.newPage()); // stays when others close
  const registrationId = await registrationIn(devtools, `${service.url}/member/`);
  const about = { origin: service.url, registrationId };
  await worker.evaluate(STAND_IN);
  return {
    push: (content) =>
      devtools.send('ServiceWorker.deliverPushMessage', {
        ...about,
        data: JSON.stringify(content),
      }),
    sync: () =>
      devtools.send('ServiceWorker.dispatchSyncEvent', {
        ...about,
        ...{ tag: 'outbox', lastChance: false },
      }),
    notices: () => noticesOf(worker),
    tap: (tag) => worker.evaluate(`tapNotice(${JSON.stringify(tag)})`),
    async changeSubscription(before, next) {
      await worker.evaluate(subscribeTo(next));
      await worker.evaluate(
        `dispatchLasting('pushsubscriptionchange', { oldSubscription: ${JSON.stringify(before.subscription)} })`,
      );
    },
  };
}

const noticesOf = (worker: Worker): Promise<readonly Notice[]> =>
  worker.evaluate(
    'shown.map(({ tag, title, body, silent }) => ({ tag, title, body, ...(silent && { silent }) }))',
  );

/** Browsers let a worker open a window after a real tap only. */
const STAND_IN = `
  globalThis.shown = [];
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    const notice = { title, ...options, close() { shown = shown.filter((each) => each !== notice); } };
    shown = [...shown.filter(({ tag }) => tag !== options.tag), notice];
  };
  ServiceWorkerRegistration.prototype.getNotifications = async ({ tag } = {}) =>
    shown.filter((each) => tag === undefined || each.tag === tag);
  globalThis.dispatchLasting = async (kind, fields) => {
    const event = new Event(kind);
    let done;
    await dispatchEvent(Object.assign(event, fields, { waitUntil: (work) => { done = work; } }));
    return done;
  };
  globalThis.tapNotice = async (tag) => {
    let opened = null;
    clients.openWindow = async (address) => { opened = address; return null; };
    WindowClient.prototype.focus = async function () { return this; };
    const notification = shown.find((each) => each.tag === tag);
    await dispatchLasting('notificationclick', { notification });
    return opened;
  };
`;

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
