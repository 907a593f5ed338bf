import { BoundedMap } from '../bounded-map.ts';
import { type AddressRules, readDestination } from './address.ts';

/** Hosts that were warned of; beyond that many the first one may be said again. */
const HOSTS_MAX = 1000;

interface Options {
  readonly rules: AddressRules;
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * For development: says of a new order's callback URL, once for each host, that its webhooks will
 * be refused. Merchants are not told (the specification refuses at delivery), and whoever tries it
 * out on their own machine waits for nothing otherwise.
 */
export function createCallbackWarnings({ rules, log }: Options): (callbackUrl: string) => void {
  const said = new BoundedMap<string, true>(HOSTS_MAX);
  return (callbackUrl) => {
    const reason = whyRefused(callbackUrl, rules);
    if (reason === undefined) return;
    const host = URL.canParse(callbackUrl) ? new URL(callbackUrl).host : callbackUrl;
    if (said.has(host)) return;
    said.set(host, true);
    const advice = rules.allowPrivate
      ? ''
      : ' For receivers on this machine or its network start with ALLOW_PRIVATE_CALLBACKS=1.';
    log.warn({ host }, `Webhooks to this host will fail. ${reason}${advice}`);
  };
}

/**
 * Without a look-up: names that lead to private addresses show only when a webhook is sent, but for
 * `localhost`.
 */
function whyRefused(callbackUrl: string, rules: AddressRules): string | undefined {
  const destination = readDestination(callbackUrl, rules);
  if (!destination.ok) return destination.reason;
  const isLocal = /(^|\.)localhost\.?$/.test(destination.url.hostname);
  return isLocal && !rules.allowPrivate ? 'Refused: localhost is not a public address.' : undefined;
}
