/**
 * What the app's least browsers lack of what it uses (bin/least-browsers.ts): the first import of the
 * app and of its service worker.
 */
function add(to: object, name: string, value: unknown): void {
  if (!(name in to)) Object.defineProperty(to, name, { value, writable: true, configurable: true });
}

add(Array.prototype, 'at', function (this: readonly unknown[], at: number) {
  return this[at < 0 ? this.length + at : at];
});
add(
  Array.prototype,
  'findLast',
  function (this: readonly unknown[], fits: (of: unknown) => boolean) {
    return [...this].reverse().find(fits);
  },
);
add(String.prototype, 'replaceAll', function (this: string, what: string | RegExp, by: string) {
  return typeof what === 'string' ? this.split(what).join(by) : this.replace(what, by);
});
add(Object, 'hasOwn', (of: object, name: string) =>
  // biome-ignore lint/suspicious/noPrototypeBuiltins: what is added
  Object.prototype.hasOwnProperty.call(of, name),
);
add(Map, 'groupBy', (all: Iterable<unknown>, groupOf: (of: unknown) => unknown) => {
  const groups = new Map<unknown, unknown[]>();
  for (const one of all) {
    const group = groupOf(one);
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  return groups;
});

add(crypto, 'randomUUID', () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = '89ab'[(bytes[8] as number) % 4];
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, `$1-$2-4$3-${variant}$4-$5`);
});

add(AbortSignal, 'timeout', (milliseconds: number) => {
  const cut = new AbortController();
  setTimeout(() => cut.abort(new DOMException('', 'TimeoutError')), milliseconds);
  return cut.signal;
});
add(AbortSignal, 'any', (signals: readonly AbortSignal[]) => {
  const cut = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) cut.abort(signal.reason);
    else signal.addEventListener('abort', () => cut.abort(signal.reason));
  }
  return cut.signal;
});

/** Safari before 15.4: other windows learn it when they ask the service next. */
class NoOtherWindows extends EventTarget {
  postMessage(): void {}
  close(): void {}
}
add(globalThis, 'BroadcastChannel', NoOtherWindows);

/** Safari before 15. */
add(globalThis, 'createImageBitmap', async (file: Blob) => {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  return Object.assign(image, { close: () => URL.revokeObjectURL(image.src) });
});

/** Dialogs of Safari before 15.4 lie over the page by the style alone. */
if (typeof HTMLElement === 'function' && typeof HTMLDialogElement === 'undefined') {
  add(HTMLElement.prototype, 'showModal', function (this: HTMLElement) {
    this.setAttribute('open', '');
  });
  add(HTMLElement.prototype, 'close', function (this: HTMLElement) {
    this.removeAttribute('open');
  });
}
