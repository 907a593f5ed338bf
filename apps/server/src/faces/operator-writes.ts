import type * as api from '@munshi/api';
import { apiKeyWrites } from '../api-keys/routes.operator.ts';
import type { OperatorWrite } from '../door/door.ts';
import { exchangeRateWrites } from '../fees/rates.routes.operator.ts';
import { feeRuleWrites } from '../fees/routes.operator.ts';
import { memberWrites } from '../members/routes.operator.ts';
import { merchantAlertWrites } from '../merchant-alerts/routes.operator.ts';
import { merchantWrites } from '../merchants/routes.operator.ts';
import { codeRemovalWrites } from '../operators/one-time-codes.routes.operator.ts';
import { operatorWrites } from '../operators/routes.operator.ts';
import { orderWrites } from '../order-desk/actions.routes.operator.ts';
import type { Deps } from '../people/deps.ts';
import type { Sessions } from '../people/session.http.ts';
import type { OperatorPrincipal } from '../people/sessions.store.ts';
import { portalUserWrites } from '../portal-people/routes.operator.ts';
import { recoveryLinkWrites } from '../recovery/routes.operator.ts';
import { settingWrites } from '../settings/routes.operator.ts';
import { adjustmentWrites } from '../wallets/adjustments.routes.operator.ts';

type Contract = typeof api;

/** The write of each endpoint of which a request may wait, by the name of its constant. */
type WaitingWrites = {
  readonly [Name in keyof Contract as Contract[Name] extends {
    readonly face: 'operator';
    readonly decides: { readonly by: 'two' | 'amount' | 'change' };
  }
    ? Name
    : never]: Contract[Name] extends api.Endpoint ? OperatorWrite<Contract[Name]> : never;
};

/**
 * Every write of the operator face that goes through its door: they are served, and an approval
 * finds here what was asked for. An endpoint that may wait and has no write does not compile.
 */
export const operatorFaceWrites = (
  deps: Deps,
  sessions: Sessions<OperatorPrincipal>,
): readonly OperatorWrite[] =>
  Object.values({
    ...operatorWrites(deps, sessions),
    ...codeRemovalWrites(deps),
    ...merchantWrites(deps),
    ...merchantAlertWrites(deps),
    ...portalUserWrites(deps),
    ...apiKeyWrites(deps),
    ...adjustmentWrites(deps),
    ...feeRuleWrites(deps),
    ...exchangeRateWrites(deps),
    ...memberWrites(deps),
    ...recoveryLinkWrites(deps),
    ...orderWrites(deps),
    ...settingWrites(deps),
  } satisfies WaitingWrites);
