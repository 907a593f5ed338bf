/** What operators may do: viewer reads, support also decides orders, admin does everything. */
export const OPERATOR_ROLES = ['viewer', 'support', 'admin'] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Whether a role includes what another may do. */
export const includesRole = (role: OperatorRole, needed: OperatorRole): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed);
