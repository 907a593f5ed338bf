import type { WALLET_TYPES } from '@munshi/api';
import { type DisplayNames, methodDisplayName, providerDisplayName } from '@munshi/web';
import { Cut } from './cut.tsx';

type WalletType = (typeof WALLET_TYPES)[number];

const METHODS: Readonly<
  Record<
    WalletType,
    { readonly provider: 'ProviderA' | 'ProviderB' | 'Bank'; readonly kind: string } | undefined
  >
> = {
  ProviderA: { provider: 'ProviderA', kind: 'account' },
  ProviderATillID: { provider: 'ProviderA', kind: 'Till ID' },
  ProviderAQR: { provider: 'ProviderA', kind: 'QR' },
  ProviderB: { provider: 'ProviderB', kind: 'account' },
  TillID: { provider: 'ProviderB', kind: 'Till ID' },
  ProviderBQR: { provider: 'ProviderB', kind: 'QR' },
  BankAccount: { provider: 'Bank', kind: 'account' },
};

/**
 * The name of a method as the settings show it to customers, who pay in that currency; else that of
 * its provider and kind.
 */
function methodName(names: DisplayNames, method: string, currency?: string): string {
  const parts = METHODS[method as WalletType];
  if (parts === undefined) return method;
  const { provider, kind } = parts;
  return (
    methodDisplayName(names, method as WalletType, currency) ??
    `${providerDisplayName(names, provider, currency) ?? provider} ${kind}`
  );
}

/** Of no currency: as in general. */
interface Named {
  readonly method: string;
  readonly currency?: string;
}

/** The names of methods in an app, which reads by this hook how the settings name them. */
export function methodNames(useNames: () => DisplayNames | undefined) {
  /** The name of a method as customers see it; of no order, as in general. */
  function useMethodName(): (method: string, currency?: string) => string {
    const names = useNames() ?? {};
    return (method, currency) => methodName(names, method, currency);
  }
  return {
    useMethodName,
    /** The name of a method. */
    MethodName: ({ method, currency }: Named) => useMethodName()(method, currency),
    /** The same in a column of a list. */
    MethodCell: ({ method, currency }: Named) => <Cut>{useMethodName()(method, currency)}</Cut>,
  };
}
