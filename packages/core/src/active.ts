/** Of people who sign in, members among them. */
export const ACTIVE_OR_SUSPENDED = ['active', 'suspended'] as const;
export type ActiveOrSuspended = (typeof ACTIVE_OR_SUSPENDED)[number];
