/// <reference lib="webworker" />
import './older-browsers.ts';
import { SYNC } from './outbox/decisions.ts';
import type { Pushed } from './worker/notices.ts';
import { takePush } from './worker/push.ts';
import { renewSubscription } from './worker/renew.ts';
import { giveShare, isShare, takeShare } from './worker/share.ts';
import { sendWaiting } from './worker/sync.ts';
import { openPath } from './worker/windows.ts';

/**
 * The service worker. It keeps the app's own files on the phone, by build, so that it opens without
 * a network; what the faces answer is never kept here. It takes what other apps share. While no
 * window is open it calls the member to orders, and sends what waits.
 */
declare const self: ServiceWorkerGlobalScope;

/** Written by the build: its files below the app's address, and a name that changes with them. */
declare const SHELL: { readonly build: string; readonly files: readonly string[] };

const PREFIX = 'munshi-member-shell ';
const CACHE = `${PREFIX}${SHELL.build}`;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) => cache.addAll(['./', ...SHELL.files].map(atScope))),
  );
});

/** It takes over when the pages of the build before are gone, or when one asks: never by itself. */
self.addEventListener('message', ({ data, ports: [port] }) => {
  if (data === 'take over') void self.skipWaiting();
  if (data === 'shared?') giveShare(port);
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith(PREFIX) && name !== CACHE))
      .then((old) => Promise.all(old.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const own = request.method === 'GET' && request.url.startsWith(self.registration.scope);
  if (isShare(request)) event.respondWith(takeShare(request));
  else if (request.mode === 'navigate' && own) event.respondWith(kept(atScope('./'), request));
  else if (own && request.url.includes('/assets/')) event.respondWith(kept(request.url, request));
});

const atScope = (file: string) => new URL(file, self.registration.scope).href;

async function kept(address: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(address, { ignoreVary: true })) ?? fetch(request);
}

self.addEventListener('push', (event) => {
  event.waitUntil(takePush(event.data?.json() as Pushed));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPath(event.notification.data.path));
});

/** Events that the library of types does not have. */
type Lasting<Fields> = ExtendableEvent & Fields;
const on = <Fields>(kind: string, listener: (event: Lasting<Fields>) => void) =>
  self.addEventListener(kind, listener as unknown as EventListener);

on<{ readonly oldSubscription?: PushSubscription | null }>('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(event.oldSubscription?.endpoint ?? null));
});

on<{ readonly tag: string }>('sync', (event) => {
  if (event.tag === SYNC) event.waitUntil(sendWaiting());
});
