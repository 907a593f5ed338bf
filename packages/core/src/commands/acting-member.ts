import { type Decision, refuse, type View } from '../decision.ts';

/** What whoever is suspended is told. */
export const SUSPENDED = 'This account is suspended.';

/**
 * Refuses what a suspended member does, also where it was on its way when they were suspended
 * (D69).
 */
export function refuseSuspended(memberId: string, view: View): Decision<never> | undefined {
  if (view.member(memberId)?.status !== 'suspended') return undefined;
  return refuse('member-suspended', SUSPENDED);
}
