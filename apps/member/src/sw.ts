/// <reference lib="webworker" />
/**
 * Keeps the app's own files on the phone, by build, so that it opens without a network. What the
 * faces answer is never kept here: it is nobody's but the signed-in member's, and it changes.
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
self.addEventListener('message', ({ data }) => {
  if (data === 'take over') void self.skipWaiting();
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
  if (request.mode === 'navigate' && own) event.respondWith(kept(atScope('./'), request));
  else if (own && request.url.includes('/assets/')) event.respondWith(kept(request.url, request));
});

const atScope = (file: string) => new URL(file, self.registration.scope).href;

async function kept(address: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(address, { ignoreVary: true })) ?? fetch(request);
}

export {};
