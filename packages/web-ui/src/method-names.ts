const METHODS: Readonly<Record<string, { readonly provider: string; readonly kind: string }>> = {
  ProviderA: { provider: 'ProviderA', kind: 'account' },
  ProviderATillID: { provider: 'ProviderA', kind: 'Till ID' },
  ProviderAQR: { provider: 'ProviderA', kind: 'QR' },
  ProviderB: { provider: 'ProviderB', kind: 'account' },
  TillID: { provider: 'ProviderB', kind: 'Till ID' },
  ProviderBQR: { provider: 'ProviderB', kind: 'QR' },
  BankAccount: { provider: 'Bank', kind: 'account' },
};

interface DisplayNames {
  readonly methods?: Readonly<Record<string, string>>;
  readonly providers?: Readonly<Record<string, string>>;
}

/** The name of a method as the settings show it to customers; else that of its provider and kind. */
export function methodName({ methods = {}, providers = {} }: DisplayNames, method: string): string {
  const parts = METHODS[method];
  if (methods[method] !== undefined || parts === undefined) return methods[method] ?? method;
  return `${providers[parts.provider] ?? parts.provider} ${parts.kind}`;
}
