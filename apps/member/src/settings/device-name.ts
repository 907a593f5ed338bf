/** Marks of browsers and systems, the more particular ones first: each says to be others too. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/(HeyTap|Vivo|Huawei)Browser\//, '$1 Browser'],
  [/UCBrowser\//, 'UC Browser'],
  [/OPR\//, 'Opera'],
  [/Edg(A|iOS)?\//, 'Edge'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iPhone'],
  [/Android [\d.]+; (?!K\))([^;)]+?)(?: Build[^)]*)?\)/, '$1'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
];

export interface DeviceName {
  readonly browser: string | undefined;
  /** The phone's model where the browser says it. */
  readonly system: string | undefined;
}

/** What people call a browser and what it runs on: `Chrome`, `Redmi 12`. */
export const deviceName = (userAgent: string): DeviceName => ({
  browser: nameIn(userAgent, BROWSERS),
  system: nameIn(userAgent, SYSTEMS),
});

function nameIn(text: string, names: readonly (readonly [RegExp, string])[]): string | undefined {
  for (const [mark, name] of names) {
    const found = mark.exec(text);
    if (found !== null) return name.replace('$1', found[1] ?? '');
  }
  return undefined;
}
