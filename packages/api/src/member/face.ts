import { face } from '../endpoint.ts';

/** What every route of the member face is declared by. */
export const { endpoint, write } = face('member', [
  'not-signed-in',
  'suspended',
  'csrf-token-invalid',
]);
