/** Where the service is, and who calls it. Secrets in arguments would be seen by other users. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signingSecret: string;
}

const NAMES = {
  baseUrl: 'MUNSHI_URL',
  apiKey: 'MUNSHI_API_KEY',
  signingSecret: 'MUNSHI_SIGNING_SECRET',
} as const satisfies Record<keyof Settings, string>;

/** Throws when one of them is missing. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const missing = Object.values(NAMES).filter((name) => !env[name]);
  if (missing.length > 0)
    throw new Error(
      `set ${missing.join(', ')}: the address of the service, and a key of yours with its secret`,
    );
  const of = (name: keyof Settings) => String(env[NAMES[name]]);
  return {
    baseUrl: of('baseUrl'),
    apiKey: of('apiKey'),
    signingSecret: of('signingSecret'),
  };
}
