import type { Given, LateClaimView } from '@munshi/api';
import { lateClaimActions, maskAccount } from '@munshi/core';
import type { Operator } from '../people/access.operator.ts';
import type { LateClaim } from './store.ts';

export const showLateClaim = (claim: LateClaim, operator: Operator): Given<LateClaimView> => ({
  ...claim,
  payerAccount: claim.payerAccount && maskAccount(claim.payerAccount),
  allowedActions: lateClaimActions(claim, operator),
});
