import { METHODS, type WalletType } from '@munshi/core';
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
  served,
});

/**
 * The operator's own name for the method; null: it is called by its provider. The names are the same
 * for every currency: one that is a wallet of another country is not shown.
 */
export function ownName(walletType: WalletType, { displayNames, currency }: Named): string | null {
  const name = displayNames.methods[walletType] || null;
  return name === null || isForeign(name, currency) ? null : name;
}

export function providerName(
  walletType: WalletType,
  { displayNames, currency }: Named,
  { texts }: Language,
): string {
  const { provider } = METHODS[walletType];
  const name = displayNames.providers[provider];
  if (!name) return provider;
  if (!isForeign(name, currency)) return name;
  return provider === 'Bank' ? texts.kindNames.bank : texts.wallet(provider.slice(-1));
}
