import { type Decision, refuse, type View } from '../decision.ts';

/** The message for a suspended member. */
export const SUSPENDED = 'This account is suspended.';

/**
 * Refuses what a suspended member does, including commands that were waiting when they were
 * suspended (D69).
 */
export function refuseSuspended(memberId: string, view: View): Decision<never> | undefined {
  if (view.member(memberId)?.status !== 'suspended') return undefined;
  return refuse('member-suspended', SUSPENDED);
}
