import type { Deps } from '../people/deps.ts';
import { createCallerAddress } from '../platform/http/caller.ts';
import { refusalOf } from '../platform/http/errors.ts';
import type { MerchantFace } from './access.merchant.ts';
import type { MerchantTraffic } from './traffic.service.ts';

const PATH_MAX = 200;

/**
 * Notes which keys are used and which requests are refused, after the answer and in memory alone.
 * What comes without a key that is in force is nobody's.
 */
export function noteTraffic(
  { app, callerOf }: MerchantFace,
  { traffic, trustedProxies }: Pick<Deps, 'trustedProxies'> & { readonly traffic: MerchantTraffic },
): void {
  const callerAddress = createCallerAddress(trustedProxies);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url, raw } = request;
    const apiKeyHash = callerOf(request);
    const refusal = refusalOf(request);
    const { statusCode: status } = reply;
    const isRefused = status >= 400 && status < 500;
    // 401 without a word: the key is unknown or revoked.
    if (apiKeyHash === '' || status >= 500 || (isRefused && refusal === undefined)) return done();
    if (traffic.isUseDue(apiKeyHash)) traffic.used({ apiKeyHash, address: callerAddress(raw) });
    if (isRefused && refusal !== undefined)
      traffic.refused({
        apiKeyHash,
        method,
        path: url.split('?')[0]?.slice(0, PATH_MAX) ?? '',
        status,
        ...refusal,
        address: callerAddress(raw),
      });
    done();
  });
}
