import type { Currency } from '@munshi/core';
import { html } from 'hono/html';
import type { Html } from './html.ts';
import { methodIcon } from './icons.ts';
import { initialOf } from './marks.ts';
import type { MethodKind } from './texts/en.ts';

/** Colours of our own, by their names in the style: each has a shade for light and one for dark. */
const TINTS = ['green', 'red', 'orange', 'teal', 'violet', 'pink', 'blue', 'slate'] as const;

interface Wallet {
  readonly name: string;
  /** One or two, on a tile: no picture of the provider's. */
  readonly letters: string;
  readonly tint: (typeof TINTS)[number];
  /** Of the country where it is used. */
  readonly currency?: Currency;
  /** Its app calls sending to an account "Send Money"; of the others we say nothing of the kind. */
  readonly sendMoney?: true;
}

/** Wallets that we know by name; operators write the names. */
const WALLETS: readonly Wallet[] = [
  { name: 'Easypaisa', currency: 'PKR', letters: 'EP', tint: 'green', sendMoney: true },
  { name: 'JazzCash', currency: 'PKR', letters: 'JC', tint: 'red', sendMoney: true },
  { name: 'UPaisa', currency: 'PKR', letters: 'UP', tint: 'orange' },
  { name: 'SadaPay', currency: 'PKR', letters: 'SP', tint: 'teal' },
  { name: 'NayaPay', currency: 'PKR', letters: 'NP', tint: 'violet' },
  { name: 'Raast', currency: 'PKR', letters: 'R', tint: 'slate' },
  { name: 'bKash', currency: 'BDT', letters: 'bK', tint: 'pink', sendMoney: true },
  { name: 'Nagad', currency: 'BDT', letters: 'N', tint: 'orange', sendMoney: true },
  { name: 'Rocket', currency: 'BDT', letters: 'R', tint: 'violet', sendMoney: true },
  { name: 'PhonePe', currency: 'INR', letters: 'Pe', tint: 'violet' },
  { name: 'Paytm', currency: 'INR', letters: 'Pt', tint: 'blue' },
  { name: 'Google Pay', currency: 'INR', letters: 'GP', tint: 'slate' },
];

/** "Easypaisa", "EASY PAISA" and "Easypaisa personal" are one. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The wallet that a name stands for; undefined for an unknown one. */
export const walletOf = (name: string): Wallet | undefined =>
  WALLETS.find((wallet) => plain(name).includes(plain(wallet.name)));

/** A name that customers who pay in this currency take for a wallet of another country. */
export const isForeign = (name: string, currency: string): boolean =>
  (walletOf(name)?.currency ?? currency) !== currency;

interface Marked {
  readonly kind: MethodKind;
  readonly ownName: string | null;
  readonly providerName: string;
  /** What the other provider is called, whose mark must be another. */
  readonly besideName: string | null;
}

/** Whose app a method belongs to: known from the operator's name for it, or its provider's. */
export const appOf = ({
  ownName,
  providerName,
}: Pick<Marked, 'ownName' | 'providerName'>): Wallet =>
  (ownName === null ? undefined : walletOf(ownName)) ?? providerOf(providerName);

const providerOf = (name: string): Wallet => walletOf(name) ?? { name, ...drawnFrom(name) };

/** A decorative mark of the app; its name is beside it. */
export function methodMark(method: Marked): Html {
  if (method.kind === 'bank' || method.kind === 'upi') return methodIcon(method.kind);
  const { besideName, providerName } = method;
  const app = appOf(method);
  return besideName !== null && providerOf(besideName).letters === app.letters
    ? tile({ ...app, letters: lettersUnlike(providerName, besideName) })
    : tile(app);
}

/** In a list that names the provider above: what kind it is, or whose, where its own name says. */
export function choiceMark({ kind, ownName }: Marked): Html {
  const wallet = ownName === null ? undefined : walletOf(ownName);
  return wallet === undefined ? methodIcon(kind) : tile(wallet);
}

const tile = ({ letters, tint }: Pick<Wallet, 'letters' | 'tint'>): Html =>
  html`<svg class="method tile ${tint}" viewBox="0 0 36 36" width="36" height="36" aria-hidden="true"><rect width="36" height="36" rx="8" fill="currentColor" fill-opacity=".13"/><text x="18" y="23.5" text-anchor="middle" font-size="15" font-weight="700" fill="currentColor">${letters}</text></svg>`;

/** Initials of a name's first two words, `ProviderA` being two, and always the same colour. */
function drawnFrom(name: string): Pick<Wallet, 'letters' | 'tint'> {
  const words = name.trim().split(/\s+|(?<=\p{Ll})(?=\p{Lu})/u);
  const letters = /^\p{Script=Latin}/u.test(name.trim())
    ? words.slice(0, 2).map(initialOf).join('')
    : initialOf(name);
  const sum = [...name].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0);
  return { letters, tint: TINTS[sum % TINTS.length] ?? 'slate' };
}

/** Where two names have the same initials: the first letter, and the first that is another. */
function lettersUnlike(name: string, other: string): string {
  const [letters, others] = [name, other].map(lettersIn) as [string[], string[]];
  const at = letters.findIndex((letter, n) => letter !== others[n]);
  return `${letters[0] ?? ''}${at > 0 ? letters[at] : ''}`;
}

const lettersIn = (name: string): string[] =>
  [...new Intl.Segmenter().segment(name.replace(/[^\p{L}\p{M}\p{N}]/gu, ''))].map(
    ({ segment }) => segment,
  );
