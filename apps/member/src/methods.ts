import { isolated } from './format.ts';
import { texts } from './language.ts';
import { me } from './work/known.ts';
import type { Order } from './work/orders.ts';

/** Methods as members know them: by the operator's names, else by provider and kind. */

type Kind = 'account' | 'till' | 'qr' | 'bank';
type Method = Order['walletType'];

const METHODS: Readonly<Record<Method, readonly [provider: string, kind: Kind]>> = {
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

/** `Easypaisa`. */
export function providerName(method: Method): string {
  const [provider] = METHODS[method];
  return isolated(me.value?.displayNames.providers[provider] ?? provider);
}

/** `Easypaisa account`, `Easypaisa Till ID`; in India a till is a UPI ID. */
export function methodName(method: Method, currency = 'PKR'): string {
  const own = me.value?.displayNames.methods[method];
  if (own !== undefined) return isolated(own);
  const [, kind] = METHODS[method];
  const shown = kind === 'till' && currency === 'INR' ? 'upi' : kind;
  return texts.value.method[shown](providerName(method));
}

/** Whose customers say which account they pay from, before they see the code. */
export const isQr = (method: Method): boolean => kindOf(method) === 'qr';
