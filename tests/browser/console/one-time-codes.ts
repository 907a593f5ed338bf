import { codeAt } from '../../support/authenticator.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import type { Service } from '../../support/service.ts';

/** An operator with one-time codes, whose first code was not used by anybody yet. */
export async function withCodes(service: Service, role: 'viewer' | 'support' | 'admin') {
  const operator = await createOperator(service, role);
  const { username, password } = operator;
  const { clock } = service.app.deps;
  const { data: session } = await operatorClient(service).post('/session', { username, password });
  const own = operatorClient(service, session.token);
  const { data } = await own.post('/one-time-code', { currentPassword: password });
  const secret: string = data.secret;
  // The step before, so that the present one is still good.
  const oneTimeCode = codeAt(secret, clock.now() - 30_000);
  const confirmed = await own.post('/one-time-code/confirm', { oneTimeCode });
  const recoveryCodes: readonly string[] = confirmed.data.recoveryCodes;
  return { operator, secret, recoveryCodes, code: () => codeAt(secret, clock.now()) };
}
