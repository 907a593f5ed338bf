import { type Currency, METHODS, type Provider, type WalletType } from './method.ts';

/** Names that operators have given to methods and to providers, by their codes. */
interface Names {
  readonly methods?: Readonly<Record<string, string>>;
  readonly providers?: Readonly<Record<string, string>>;
}

/**
 * What people call methods and providers. A provider is another wallet in each country: what stands
 * under a currency is for its orders, and comes before the names for all.
 */
export interface DisplayNames extends Names {
  readonly currencies?: { readonly [Of in Currency]?: Names };
}

/** The operator's name for a provider; undefined: none. No currency: where several are meant. */
export const providerDisplayName = (
  names: DisplayNames,
  provider: Provider,
  currency?: string,
): string | undefined =>
  ofCurrency(names, currency).providers?.[provider] ?? names.providers?.[provider];

/**
 * The operator's own name for a method; undefined: it is called by its provider. Where the currency
 * names the provider, the method's name for all is of another wallet.
 */
export function methodDisplayName(
  names: DisplayNames,
  method: WalletType,
  currency?: string,
): string | undefined {
  const { methods, providers } = ofCurrency(names, currency);
  const own = methods?.[method];
  if (own !== undefined || providers?.[METHODS[method].provider] !== undefined) return own;
  return names.methods?.[method];
}

const ofCurrency = ({ currencies }: DisplayNames, currency = ''): Names =>
  currencies?.[currency as Currency] ?? {};

/** Every name with the place where it stands; a name in no place is none. */
function placed({ currencies = {}, ...names }: DisplayNames): ReadonlyMap<string, string> {
  const all = Object.entries({ '': names, ...currencies }) as [string, Names][];
  return new Map(
    all.flatMap(([currency, { methods = {}, providers = {} }]) =>
      Object.entries({ methods, providers }).flatMap(([kind, of]) =>
        Object.entries(of).map(([code, name]) => [`${currency} ${kind} ${code}`, name] as const),
      ),
    ),
  );
}

/** Whether customers read another name; each map that is sent replaces the one before. */
export function isRenamed(before: DisplayNames, after: DisplayNames): boolean {
  const [was, now] = [placed(before), placed({ ...before, ...after })];
  return [...was.keys(), ...now.keys()].some((place) => was.get(place) !== now.get(place));
}
