import { one } from './decider.ts';
import { face } from './endpoint.ts';

/** What every route of the member face is declared by. */
export const COMMON = ['not-signed-in', 'suspended', 'csrf-token-invalid'] as const;
export const member = face('member', COMMON);

export const OWN = one('A member decides about what is theirs.');
