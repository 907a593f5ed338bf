/**
 * What keeps a browser awake in the background, by the maker of the phone. Makers say it in menus
 * of their own; the names are those of the phones in English.
 */

export const BRANDS = ['Xiaomi', 'Oppo', 'Vivo', 'Samsung', 'Huawei', 'other'] as const;
export type Brand = (typeof BRANDS)[number];

export interface BackgroundStep {
  readonly act: 'open' | 'choose' | 'switchOn' | 'lock';
  /** Menus one after the other, or what is chosen there. */
  readonly names: readonly string[];
}

/** `browser`: under which name the phone lists the app that is to stay awake. */
export function backgroundSteps(brand: Brand, browser: string): readonly BackgroundStep[] {
  const open = (...names: string[]): BackgroundStep => ({ act: 'open', names });
  const choose = (...names: string[]): BackgroundStep => ({ act: 'choose', names });
  const switchOn = (...names: string[]): BackgroundStep => ({ act: 'switchOn', names });
  const lock: BackgroundStep = { act: 'lock', names: [browser] };
  const steps: Readonly<Record<Brand, readonly BackgroundStep[]>> = {
    Xiaomi: [
      open('Settings', 'Apps', 'Manage apps', browser),
      switchOn('Autostart'),
      choose('Battery saver', 'No restrictions'),
      lock,
    ],
    Oppo: [
      open('Settings', 'Apps', 'App management', browser, 'Battery usage'),
      switchOn('Allow background activity'),
      switchOn('Allow auto launch'),
      lock,
    ],
    Vivo: [
      open('Settings', 'Battery', 'Background power consumption', browser),
      choose('Don’t restrict background power usage'),
      open('Settings', 'Apps', 'Autostart'),
      switchOn(browser),
    ],
    Samsung: [
      open('Settings', 'Apps', browser, 'Battery'),
      choose('Unrestricted'),
      open('Settings', 'Battery', 'Background usage limits'),
      choose('Never sleeping apps', browser),
    ],
    Huawei: [
      open('Settings', 'Battery', 'App launch', browser),
      choose('Manage manually'),
      switchOn('Auto-launch', 'Secondary launch', 'Run in background'),
      lock,
    ],
    other: [open('Settings', 'Apps', browser, 'App battery usage'), choose('Unrestricted')],
  };
  return steps[brand];
}

/** How makers' models begin, as browsers name them. */
const MODELS: readonly (readonly [RegExp, Brand])[] = [
  [/\b(redmi|xiaomi|poco|mi \d|m2\d{3}[a-z]|2\d{7}[a-z]|2\d{4}[a-z0-9]{4,5})/i, 'Xiaomi'],
  [/\b(oppo|realme|oneplus|cph\d{4}|rmx\d{4})/i, 'Oppo'],
  [/\b(vivo|iqoo|v2\d{3}[a-z]?\b|i2\d{3}\b)/i, 'Vivo'],
  [/\b(samsung|galaxy|sm-[a-z]\d{3})/i, 'Samsung'],
  [/\b(huawei|honor|[a-z]{3}-[al][xln]\d)/i, 'Huawei'],
];

/** Whose phone it is, by its model or by what its browser calls itself. */
export const brandOf = (text: string): Brand =>
  MODELS.find(([mark]) => mark.test(text))?.[1] ?? 'other';
