/** Pictures that are to go with an action. */
export interface Picked {
  /** `data:` URLs. */
  readonly contents: readonly string[];
  /** One is being cut down. */
  readonly reading: boolean;
}
export const NOTHING_PICKED: Picked = { contents: [], reading: false };
