import type { AddressFacts, Facts } from './facts.ts';
import { isUnknown } from './facts.ts';
import { ok, unknown, warning, wrong } from './judgement.ts';

/** What is said of the public address and of the proxies before the service. */

const CERTIFICATE_MS_MIN = 21 * 86_400_000;

export function judgeAddress({ settings, address }: Facts) {
  if (address === undefined)
    return settings.roles.has('http')
      ? wrong(
          'PUBLIC_URL is not set: links for customers lead to the address listened on.',
          'Set PUBLIC_URL to the https address by which customers reach the payment page.',
        )
      : undefined;
  const { answer } = address;
  const mend =
    'Look at the name in the DNS, at the proxy, and at its log; a path of PUBLIC_URL is the proxy’s to take off.';
  if (isUnknown(answer))
    return wrong(`${settings.publicUrl} cannot be reached: ${answer.error}`, mend);
  if ('status' in answer)
    return wrong(
      `${settings.publicUrl} answers ${answer.status}, and no process of this installation: another one, an older version, or a proxy without one behind it.`,
      mend,
    );
  return ok(`${settings.publicUrl} leads to a process with this master key, as seen from here.`);
}

/** As `http/web.ts` sends them, once: a proxy adds nothing and keeps nothing. */
const isAsSent = (policy: string | null, cacheControl: string | null) =>
  /^default-src 'none'; script-src 'self';[^,]*$/.test(policy ?? '') && cacheControl === 'no-store';

/** The console may be closed to the world; members and merchants come from there. */
export function judgeApps(address: AddressFacts | undefined) {
  if (address === undefined || !('peer' in address.answer)) return undefined;
  const seen = address.apps.map(({ name, answer }) => {
    if (isUnknown(answer)) return { name, is: answer.error };
    if (answer.status !== 200) return { name, is: `answers ${answer.status}` };
    return { name, is: isAsSent(answer.policy, answer.cacheControl) ? 'there' : 'changed' };
  });
  const gone = seen.filter(({ name, is }) => name !== 'console' && !/^(there|changed)$/.test(is));
  if (gone.length > 0)
    return wrong(
      `${gone.map(({ name, is }) => `/${name}/ (${is})`).join(', ')} cannot be opened at the public address.`,
      'Have the proxy pass on every path; where an app is not built, run npm run build:web.',
    );
  const changed = seen.filter(({ is }) => is === 'changed');
  if (changed.length > 0)
    return wrong(
      `${changed.map(({ name }) => `/${name}/`).join(', ')} arrives with another Content-Security-Policy or Cache-Control than the service sends.`,
      'Have the proxy, and what stands before it, leave these headers alone and keep no pages.',
    );
  const open = seen.filter(({ is }) => is === 'there').map(({ name }) => `/${name}/`);
  return ok(`${open.join(', ')} open at the public address, with the headers that protect them.`);
}

export function judgeTls(address: AddressFacts | undefined) {
  if (address?.tls === undefined) return undefined;
  const { tls } = address;
  if (isUnknown(tls))
    return wrong(
      `There is no connection that browsers trust: ${tls.error}`,
      'Give the proxy a certificate of the name in PUBLIC_URL, with the whole chain.',
    );
  const days = Math.floor((tls.validUntil - tls.at) / 86_400_000);
  return tls.validUntil - tls.at >= CERTIFICATE_MS_MIN
    ? ok(`${tls.protocol}, and the certificate is good for ${days} days.`)
    : warning(
        `The certificate ends in ${days} days.`,
        'Renew it, and look at why that does not happen by itself.',
      );
}

export function judgePlainHttp(address: AddressFacts | undefined) {
  switch (address?.plainHttp) {
    case undefined:
      return undefined;
    case 'answers':
      return warning(
        'The same host answers plain HTTP too: a link that was typed is read on the way.',
        'Redirect port 80 to https, or close it: deploy/nginx/munshi.conf.',
      );
    case 'closed':
      return ok('Port 80 is closed.');
    case 'redirects':
      return ok('Port 80 leads to https.');
  }
}

export function judgeProxies({ address }: Facts) {
  const answer = address?.answer;
  if (answer === undefined || isUnknown(answer) || 'status' in answer) return undefined;
  const { peer, caller, forwardedFor, claimed, askedFromProxy } = answer;
  if (forwardedFor === null || forwardedFor === claimed)
    return forwardedFor === claimed && caller === claimed
      ? wrong(
          'The proxy passes on what a caller says of their own address, and it is believed: IP whitelists and limits of sign-ins are open.',
          'Have it add the caller to X-Forwarded-For, as deploy/nginx/munshi.conf does.',
        )
      : wrong(
          `The proxy (${peer}) does not say whom it speaks for: every caller has its address.`,
          'Have it add the caller to X-Forwarded-For, as deploy/nginx/munshi.conf does.',
        );
  if (caller === peer)
    return wrong(
      `X-Forwarded-For comes from ${peer}, which TRUSTED_PROXIES does not name: every caller has its address.`,
      `Add ${peer} to TRUSTED_PROXIES.`,
    );
  if (caller === claimed)
    return askedFromProxy
      ? unknown(
          'This machine is one of TRUSTED_PROXIES, so that everything it says is believed.',
          'Run this from another machine to see whether a stranger is believed too.',
        )
      : wrong(
          `A stranger who names ${claimed} as their address is believed: IP whitelists and limits of sign-ins are open.`,
          'Have TRUSTED_PROXIES name your proxies and nobody else.',
        );
  return ok(`Callers come through ${peer}; this machine is seen as ${caller}.`);
}
