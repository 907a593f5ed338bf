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

/**
 * Of oneself: role and status are for others to change, a password for who knows it. An approver
 * gets a password, or an active status again, on the server alone.
 */
export function refuseOperatorChange(
  operator: OperatorState,
  { role, status, password }: OperatorFields,
  who: { readonly id: string },
): Objection {
  const { operatorId, hasPassword } = operator;
  const givesAccess = password !== undefined || (status === 'active' && operator.status !== status);
  if (operatorId !== who.id) return givesAccess ? refuseOfApprover(operator, who) : undefined;
  if (role !== undefined || status !== undefined)
    return refuse('wrong-state', 'Another operator must change your own role or status.');
  if (password === undefined || !hasPassword) return undefined;
  return refuse(
    'wrong-state',
    'Change your own password with POST /password, which asks for the present one.',
  );
}

/** As whom the command line of the server acts, by which approvers are made and let in. */
export const ON_SERVER = 'server';

/** Against giving an approver a way to sign in anywhere else. */
const refuseOfApprover = (
  { role }: Pick<OperatorState, 'role'>,
  who: { readonly id: string },
): Objection =>
  OPERATORS_MAY.of(role).has('approve') && who.id !== ON_SERVER
    ? refuse(
        'wrong-state',
        'Approvers are let in on the server alone: munshi operator-link <name> --approver.',
      )
    : undefined;

/** Whether a change gives somebody more power than they have. */
export const raisesOperator = (
  before: Pick<OperatorState, 'role' | 'status'>,
  { role, status }: OperatorFields,
): boolean =>
  (role !== undefined && OPERATORS_MAY.exceeds(role, before.role)) ||
  (status === 'active' && before.status !== 'active');

/** Only active operators are given script tokens, and an approver by nobody else. */
export function refuseToken(
  operator: Pick<OperatorState, 'operatorId' | 'role' | 'status'>,
  who: { readonly id: string },
): Objection {
  const { operatorId, status } = operator;
  if (status !== 'active') return refuse('wrong-state', 'This operator is suspended.');
  return operatorId === who.id ? undefined : refuseOfApprover(operator, who);
}

/** A recovery link is for another operator, who may sign in and is no approver. */
export function refuseRecovery(
  operator: Pick<OperatorState, 'operatorId' | 'role' | 'status'>,
  who: { readonly id: string },
): Objection {
  if (operator.operatorId === who.id)
    return refuse('wrong-state', 'Another operator must make your recovery link.');
  return refuseToken(operator, who);
}

/** One’s own codes are turned off by a code; another operator’s where they are on. */
export function refuseCodeRemoval(
  operator: Pick<OperatorState, 'operatorId' | 'role'> & { readonly hasOneTimeCode: boolean },
  who: { readonly id: string },
): Objection {
  if (operator.operatorId === who.id)
    return refuse('wrong-state', 'Turn your own one-time codes off with a code.');
  return operator.hasOneTimeCode
    ? refuseOfApprover(operator, who)
    : refuse('wrong-state', 'One-time codes of this operator are off.');
}
