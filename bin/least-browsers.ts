/**
 * The least browsers of each page, by the names of MDN's data. `tests/tidy/browsers.test.ts` refuses
 * what they lack; index.html of the apps and the documentation name them.
 */
export const LEAST_BROWSERS = {
  checkout: { chrome: 64, safari: 12 },
} as const satisfies Readonly<Record<string, Least>>;

export interface Least {
  readonly chrome: number;
  readonly safari: number;
}
