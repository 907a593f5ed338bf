/**
 * The least browsers of each page, by the names of MDN's data. `tests/tidy/browsers.test.ts` refuses
 * what they lack; index.html of the apps and the documentation name them.
 */
export const LEAST_BROWSERS = {
  checkout: { chrome: 64, safari: 12 },
  member: { chrome: 80, safari: 14 },
  console: { chrome: 120, edge: 120, firefox: 124, safari: 17.4 },
  portal: { chrome: 120, edge: 120, firefox: 124, safari: 17.4 },
  docs: { chrome: 111, safari: 16.4 },
} as const satisfies Readonly<Record<string, Least>>;

export interface Least {
  readonly chrome: number;
  readonly safari: number;
  readonly edge?: number;
  readonly firefox?: number;
}

/** As builders name them: `chrome80`. */
export const targetsOf = (least: Least): string[] =>
  Object.entries(least).map(([browser, version]) => `${browser}${version}`);
