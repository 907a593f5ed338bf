import { BoundedMap } from '../platform/bounded-map.ts';
import { type AddressRules, readDestination } from '../platform/outbound/address.ts';

/** How many hosts are remembered. Beyond them, an old one may be warned of again. */
const HOSTS_MAX = 1000;

interface Options {
  readonly rules: AddressRules;
  readonly log: { warn(fields: object, message: string): void };
}

/**
 * In development, logs once for each host that the webhooks of a new order will be refused. The
 * merchant gets no error, since the specification refuses at delivery; without this line, a person
 * who tries the service on their own machine would wait in vain.
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
 * Without a DNS lookup: a name that resolves to private addresses is refused when a webhook is
 * sent, except for `localhost`.
 */
function whyRefused(callbackUrl: string, rules: AddressRules): string | undefined {
  const destination = readDestination(callbackUrl, rules);
  if (!destination.ok) return destination.reason;
  const isLocal = /(^|\.)localhost\.?$/.test(destination.url.hostname);
  return isLocal && !rules.allowPrivate ? 'Refused: localhost is not a public address.' : undefined;
}
