/** A rule that the stored rows must obey (docs/invariants.md), as a query of those that do not. */
export interface Invariant {
  readonly id: string;
  readonly rule: string;
  /** Selects broken rows. `given.now` is the time of the check. */
  readonly broken: string;
}
