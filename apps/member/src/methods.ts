import { methodDisplayName, providerDisplayName } from '@munshi/web';
import { isolated } from './format.ts';
import { texts } from './language.ts';
import { me } from './work/known.ts';
import type { Me, Order } from './work/orders.ts';

/** Methods as members know them: by the operator's names, else by provider and kind. */

type Kind = 'account' | 'till' | 'qr' | 'bank';
type Provider = 'ProviderA' | 'ProviderB' | 'Bank';
type Method = Order['walletType'];

const METHODS: Readonly<Record<Method, readonly [provider: Provider, kind: Kind]>> = {
  ProviderA: ['ProviderA', 'account'],
  ProviderATillID: ['ProviderA', 'till'],
  ProviderAQR: ['ProviderA', 'qr'],
  ProviderB: ['ProviderB', 'account'],
  TillID: ['ProviderB', 'till'],
  ProviderBQR: ['ProviderB', 'qr'],
  BankAccount: ['Bank', 'bank'],
};

export const METHOD_CODES = Object.keys(METHODS) as readonly Method[];

export const kindOf = (method: Method): Kind => METHODS[method][1];

/** `Easypaisa`; of an order's currency, else as in general. */
export function providerName(method: Method, currency?: string): string {
  const [provider] = METHODS[method];
  return isolated(
    providerDisplayName(me.value?.displayNames ?? {}, provider, currency) ?? provider,
  );
}

/** `Easypaisa account`, `Easypaisa Till ID`; in India a till is a UPI ID. */
export function methodName(method: Method, currency?: string): string {
  const own = methodDisplayName(me.value?.displayNames ?? {}, method, currency);
  if (own !== undefined) return isolated(own);
  const [, kind] = METHODS[method];
  const shown = kind === 'till' && currency === 'INR' ? 'upi' : kind;
  return texts.value.method[shown](providerName(method, currency));
}

/** One of a single currency is called as its customers call it. */
export const accountMethod = ({ walletType, currencies }: Me['accounts'][number]): string =>
  methodName(walletType, currencies?.length === 1 ? currencies[0] : undefined);

/** Whose customers say which account they pay from, before they see the code. */
export const isQr = (method: Method): boolean => kindOf(method) === 'qr';
