import { one } from '../decider.ts';
import { face } from '../endpoint.ts';

/** What every route of the portal face is declared by. */
export const { endpoint, write } = face('portal', [
  'not-signed-in',
  'suspended',
  'csrf-token-invalid',
  'role-too-low',
]);

export const OWN = one('A merchant decides about its own.');
