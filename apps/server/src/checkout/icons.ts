import { html, raw } from 'hono/html';
import type { Html } from './html.ts';
import type { MethodKind } from './texts/en.ts';

/** Drawings of our own, in lines of the text's colour. Screen readers pass over them. */
const drawn = (kind: string, size: number, lines: string) =>
  raw(
    `<svg class="${kind}" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${lines}</svg>`,
  );

export const SHIELD = drawn(
  'shield',
  20,
  '<path d="M10 2l6.5 2.5v5c0 4.200-2.700 7-6.5 8.5-3.800-1.5-6.5-4.300-6.5-8.5v-5z"/><path d="M7.5 10l2 2 3.5-4"/>',
);

export const TICK = drawn('tick', 20, '<path d="M5.5 10.5l3 3 6-6.5"/>');

/** A wallet on a phone, a till, a UPI handle, a code and a bank. */
const METHODS: Readonly<Record<MethodKind, string>> = {
  account: '<rect x="6.5" y="2.5" width="11" height="19" rx="2.5"/><path d="M10.5 18.5h3"/>',
  till: '<path d="M4 10.5V20h16v-9.5M3 7l1.5-3.5h15L21 7a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0z"/>',
  upi: '<circle cx="12" cy="12" r="3.5"/><path d="M15.5 8.5v5a2.5 2.5 0 0 0 5 0V12a8.5 8.5 0 1 0-3.5 6.900"/>',
  qr: '<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM20 14v3M17 20h3M14 20h.1"/>',
  bank: '<path d="M3 9.5l9-5.5 9 5.5zM5.5 10v7M10 10v7M14 10v7M18.5 10v7M3.5 20h17"/>',
};

const ICONS = Object.fromEntries(
  Object.entries(METHODS).map(([kind, lines]) => [kind, drawn('method', 24, lines)]),
) as Readonly<Record<MethodKind, ReturnType<typeof raw>>>;

export const methodIcon = (kind: MethodKind): Html => html`${ICONS[kind]}`;
