import {
  METHODS,
  methodDisplayName,
  type Provider,
  providerDisplayName,
  type WalletType,
} from '@munshi/core';
import type { PageOrder } from '../orders/page.store.ts';
import { isolated } from './format.ts';
import type { MethodKind } from './texts/en.ts';
import type { Language } from './texts/languages.ts';
import { isForeign } from './wallets.ts';

/** A method as people know it. */
export interface NamedMethod {
  readonly walletType: WalletType;
  readonly name: string;
}

/** A method to choose, as the list shows it. */
export interface OfferedMethod extends NamedMethod {
  readonly kind: MethodKind;
  readonly ownName: string | null;
  readonly providerName: string;
  readonly besideName: string | null;
  /** Somebody can receive it now. */
  readonly served: boolean;
}

type Named = Pick<PageOrder, 'displayNames' | 'currency'>;

const KINDS: Readonly<Record<WalletType, MethodKind>> = {
  ProviderA: 'account',
  ProviderATillID: 'till',
  ProviderAQR: 'qr',
  ProviderB: 'account',
  TillID: 'till',
  ProviderBQR: 'qr',
  BankAccount: 'bank',
};

/** What the method pays to, in the words of where its currency is used. */
export function methodKind(walletType: WalletType, currency: string): MethodKind {
  const kind = KINDS[walletType];
  return kind === 'till' && currency === 'INR' ? 'upi' : kind;
}

/**
 * By the names that the operator has set: of the method itself, or else of its provider. In a text
 * that runs from right to left the name is isolated by itself, and the words around it keep their
 * order.
 */
export function namedMethod(
  walletType: WalletType,
  { displayNames, currency }: Named,
  language: Language,
): NamedMethod {
  const { texts, direction } = language;
  const inside = direction === 'rtl' ? isolated : (name: string) => name;
  const own = ownName(walletType, { displayNames, currency });
  const kind = methodKind(walletType, currency);
  return {
    walletType,
    name:
      own === null
        ? texts.methodNames[kind](
            inside(providerName(walletType, { displayNames, currency }, language)),
          )
        : inside(own),
  };
}

export const offeredMethod = (
  walletType: WalletType,
  order: Named,
  language: Language,
  served: boolean,
): OfferedMethod => ({
  ...namedMethod(walletType, order, language),
  kind: methodKind(walletType, order.currency),
  ownName: ownName(walletType, order),
  providerName: providerName(walletType, order, language),
  besideName: besideName(walletType, order, language),
  served,
});

/**
 * The operator's own name for the method; null: it is called by its provider. One that is a wallet
 * of another country is not shown.
 */
export function ownName(walletType: WalletType, { displayNames, currency }: Named): string | null {
  const name = methodDisplayName(displayNames, walletType, currency) || null;
  return name === null || isForeign(name, currency) ? null : name;
}

export const providerName = (walletType: WalletType, order: Named, language: Language): string =>
  nameOf(METHODS[walletType].provider, order, language);

/** How the other provider of wallets is called there, which this one must differ from. */
export function besideName(
  walletType: WalletType,
  order: Named,
  language: Language,
): string | null {
  const { provider } = METHODS[walletType];
  return provider === 'Bank'
    ? null
    : nameOf(provider === 'ProviderA' ? 'ProviderB' : 'ProviderA', order, language);
}

function nameOf(
  provider: Provider,
  { displayNames, currency }: Named,
  { texts }: Language,
): string {
  const name = providerDisplayName(displayNames, provider, currency);
  if (!name) return provider;
  if (!isForeign(name, currency)) return name;
  return provider === 'Bank' ? texts.kindNames.bank : texts.wallet(provider.slice(-1));
}
