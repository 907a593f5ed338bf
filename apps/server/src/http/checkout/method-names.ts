import { METHODS, type WalletType } from '@munshi/core';
import type { PageOrder } from '../../storage/checkout-read.ts';
import type { Texts } from './texts/texts.ts';

/** A method as people know it. */
export interface NamedMethod {
  readonly walletType: WalletType;
  readonly name: string;
}

type Names = PageOrder['displayNames'];

const FROM_PROVIDER: Readonly<Record<WalletType, (texts: Texts, provider: string) => string>> = {
  ProviderA: (texts, provider) => texts.methodAccount(provider),
  ProviderATillID: (texts, provider) => texts.methodTill(provider),
  ProviderAQR: (texts, provider) => texts.methodQr(provider),
  ProviderB: (texts, provider) => texts.methodAccount(provider),
  TillID: (texts, provider) => texts.methodTill(provider),
  ProviderBQR: (texts, provider) => texts.methodQr(provider),
  BankAccount: (texts) => texts.methodBank,
};

/** By the names that the operator has set: of the method itself, or else of its provider. */
export function namedMethod(walletType: WalletType, names: Names, texts: Texts): NamedMethod {
  return {
    walletType,
    name:
      names.methods[walletType] ||
      FROM_PROVIDER[walletType](texts, providerName(walletType, names)),
  };
}

export function providerName(walletType: WalletType, { providers }: Names): string {
  const { provider } = METHODS[walletType];
  return providers[provider] || provider;
}
