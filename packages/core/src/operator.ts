import type { ActiveOrSuspended } from './active.ts';
import { OPERATORS_MAY, type OperatorRole } from './capability.ts';
import { type Objection, refuse } from './decision.ts';

/** An operator, as far as the rules look at them. */
export interface OperatorState {
  readonly operatorId: string;
  readonly role: OperatorRole;
  readonly status: ActiveOrSuspended;
  readonly hasPassword: boolean;
}

/** What is changed of one. */
export interface OperatorFields {
  readonly role?: OperatorRole | undefined;
  readonly status?: ActiveOrSuspended | undefined;
  readonly password?: string | undefined;
}

/** Of oneself: role and status are for others to change, a password for who knows it. */
export function refuseOperatorChange(
  { operatorId, hasPassword }: OperatorState,
  { role, status, password }: OperatorFields,
  who: { readonly id: string },
): Objection {
  if (operatorId !== who.id) return undefined;
  if (role !== undefined || status !== undefined)
    return refuse('wrong-state', 'Another operator must change your own role or status.');
  if (password === undefined || !hasPassword) return undefined;
  return refuse(
    'wrong-state',
    'Change your own password with POST /password, which asks for the present one.',
  );
}

/** Whether a change gives somebody more power than they have. */
export const raisesOperator = (
  before: Pick<OperatorState, 'role' | 'status'>,
  { role, status }: OperatorFields,
): boolean =>
  (role !== undefined && OPERATORS_MAY.exceeds(role, before.role)) ||
  (status === 'active' && before.status !== 'active');

/** Only active operators are given script tokens. */
export const refuseToken = ({ status }: Pick<OperatorState, 'status'>): Objection =>
  status === 'active' ? undefined : refuse('wrong-state', 'This operator is suspended.');

/** A recovery link is for another operator, who may sign in. */
export function refuseRecovery(
  { operatorId, status }: Pick<OperatorState, 'operatorId' | 'status'>,
  who: { readonly id: string },
): Objection {
  if (operatorId === who.id)
    return refuse('wrong-state', 'Another operator must make your recovery link.');
  return status === 'active' ? undefined : refuse('wrong-state', 'This operator is suspended.');
}

/** One’s own codes are turned off by a code; another operator’s where they are on. */
export function refuseCodeRemoval(
  { operatorId, hasOneTimeCode }: { readonly operatorId: string; readonly hasOneTimeCode: boolean },
  who: { readonly id: string },
): Objection {
  if (operatorId === who.id)
    return refuse('wrong-state', 'Turn your own one-time codes off with a code.');
  return hasOneTimeCode
    ? undefined
    : refuse('wrong-state', 'One-time codes of this operator are off.');
}
