/** People who sign in. */
export const PERSON_KINDS = ['operator', 'member', 'portal'] as const;
export type PersonKind = (typeof PERSON_KINDS)[number];
