import { areEverybody } from '@munshi/core';
import { ConfigError, isLocalHost } from './setting.ts';

const TOKEN_CHARACTERS_MIN = 32;
/** 32 random hex digits have fewer different ones once in some ten million. */
const DIFFERENT_CHARACTERS_MIN = 8;

/** Of the settings, what is looked at. */
interface Checked {
  readonly allowPrivateCallbacks: boolean;
  readonly sandboxClock: boolean;
  readonly operatorTokens: readonly { readonly setting: string; readonly token: string }[];
  readonly masterKey: string | undefined;
  readonly linkKeys: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly publicUrl: string | undefined;
  readonly host: string;
  readonly roles: ReadonlySet<string>;
}

/** What is for development stops the start in production (operate/install.md#what-it-needs). */
export function refuseDevelopment(config: Checked): void {
  const {
    allowPrivateCallbacks,
    sandboxClock,
    operatorTokens,
    masterKey,
    linkKeys,
    trustedProxies,
    publicUrl,
    host,
    roles,
  } = config;
  const refuse = (message: string): never => {
    throw new ConfigError(`${message} (NODE_ENV=production)`);
  };
  if (allowPrivateCallbacks)
    refuse('ALLOW_PRIVATE_CALLBACKS must not be set: webhooks could reach your own network');
  if (sandboxClock) refuse('CLOCK=sandbox must not be set: operators could move the time');
  const weak = operatorTokens.find(({ token }) => !isRandom(token.slice('op_'.length)));
  if (weak !== undefined) {
    refuse(
      `${weak.setting} must have at least ${TOKEN_CHARACTERS_MIN} random characters after "op_", e.g. from: echo op_$(openssl rand -hex 32)`,
    );
  }
  if (masterKey?.split(',').some(isOneDigit))
    refuse('MASTER_KEY must not be one digit again and again: make one with: openssl rand -hex 32');
  if (linkKeys.some(isOneDigit))
    refuse(
      'LINK_KEYS must hold no key of one digit again and again: make one with: openssl rand -hex 32',
    );
  if (areEverybody(trustedProxies)) {
    refuse(
      'TRUSTED_PROXIES must not cover everybody, who could then name any address as theirs: list the addresses of your proxies',
    );
  }
  if (publicUrl !== undefined) {
    const { protocol, hostname } = new URL(publicUrl);
    if (protocol !== 'https:' && !isLocalHost(hostname))
      refuse(`PUBLIC_URL must be https; it is "${publicUrl}"`);
  } else if (roles.has('http') && !isLocalHost(host)) {
    refuse(
      `PUBLIC_URL is required where HOST is not this machine alone (${host}): the https address by which customers reach the payment page`,
    );
  }
}

const isRandom = (text: string) =>
  text.length >= TOKEN_CHARACTERS_MIN && new Set(text).size >= DIFFERENT_CHARACTERS_MIN;
const isOneDigit = (key: string) => /^(.)\1*$/.test(key);
