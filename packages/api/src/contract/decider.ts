/**
 * Who decides a write while a second operator is required (security.md#two-operators). Every write
 * declares it, and docs/security.md is made from these.
 */
export type Decider =
  /** The asker. `because`: why one is enough. */
  | { readonly by: 'one'; readonly because: string }
  /** Always a second operator. */
  | { readonly by: 'two' }
  /** The engine, in the transaction: by the amount, the day's sum, and what was attested. */
  | { readonly by: 'amount' }
  /** The asker: it takes away power or access. No protection, alarm or evidence is lost. */
  | { readonly by: 'takes-away' }
  /** A second operator, where `needsTwo` says so of this change. `waits`: the same in words. */
  | { readonly by: 'change'; readonly waits: string; readonly needsTwo: NeedsTwo }
  /** Nobody: the request only asks, and changes nothing. */
  | { readonly by: 'nobody' };

/** A rule of core over what was, what will be, and who asks. Each names the types that it needs. */
type NeedsTwo = (before: never, after: never, asker: never) => boolean;

export const one = (because: string) => ({ by: 'one', because }) as const;
export const TWO = { by: 'two' } as const;
export const BY_AMOUNT = { by: 'amount' } as const;
export const TAKES_AWAY = { by: 'takes-away' } as const;
export const byChange = <Rule extends NeedsTwo>(waits: string, needsTwo: Rule) =>
  ({ by: 'change', waits, needsTwo }) as const;
export const ASKS = { by: 'nobody' } as const;
