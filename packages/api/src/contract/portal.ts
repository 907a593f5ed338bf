import { one } from './decider.ts';
import { face } from './endpoint.ts';

/** What every route of the portal face is declared by. */
export const COMMON = ['not-signed-in', 'suspended', 'csrf-token-invalid', 'role-too-low'] as const;
export const portal = face('portal', COMMON);

export const OWN = one('A merchant decides about its own.');
export const OWN_PROTECTION = one(
  'A merchant decides about its own. While a second operator is required, more addresses and fewer alerts are refused, but for a merchant that issues its own keys.',
);
