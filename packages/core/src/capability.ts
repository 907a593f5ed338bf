/**
 * What people may do, by role. A caller's role becomes their capabilities where they are
 * authenticated; rules, endpoints, screens and masks ask for a capability, and never for a role.
 * Reference: security.md#who-may-do-what-and-who-decides.
 */

/** What operators may be made in the console. */
export const CONSOLE_ROLES = ['viewer', 'support', 'admin'] as const;
/** Approvers are made on the server alone (security.md#two-operators). */
export const OPERATOR_ROLES = [...CONSOLE_ROLES, 'approver'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** What each is about, in words. */
export const OPERATOR_CAPABILITIES = {
  read: 'Lists, details and reports, with customers masked.',
  'see-customers': 'Customers’ names, numbers and pictures. Each look is recorded.',
  decide: 'Orders, late claims, deliveries, and views for everybody.',
  write: 'Merchants, members, keys, fees, rates, and money that an operator moves.',
  administer: 'Operators, merchants’ people, settings, channels of alerts.',
  approve: 'What another operator has asked for.',
} as const;
export type OperatorCapability = keyof typeof OPERATOR_CAPABILITIES;

/** The operator who asks, as far as the rules look at them. */
export interface AskingOperator {
  readonly id: string;
  readonly capabilities: ReadonlySet<OperatorCapability>;
}

/** What a merchant's own people may be in the portal. */
export const PORTAL_ROLES = ['viewer', 'admin'] as const;
export type PortalRole = (typeof PORTAL_ROLES)[number];

export const PORTAL_CAPABILITIES = {
  read: 'Everything of the merchant, with customers masked.',
  'see-customers': 'Links of orders, which show what their customer sees.',
  write: 'Settings, alerts, and webhooks that are sent again.',
  keys: 'The merchant’s API keys.',
  people: 'The merchant’s other people.',
} as const;
export type PortalCapability = keyof typeof PORTAL_CAPABILITIES;

/** The portal user who asks, as far as the rules look at them. */
export interface AskingPerson {
  readonly portalUserId: string;
  readonly capabilities: ReadonlySet<PortalCapability>;
}

export const OPERATORS_MAY = rights<OperatorRole, OperatorCapability>({
  viewer: ['read'],
  support: ['read', 'see-customers', 'decide'],
  admin: ['read', 'see-customers', 'decide', 'write', 'administer'],
  approver: ['read', 'see-customers', 'decide', 'write', 'administer', 'approve'],
});

export const PORTAL_USERS_MAY = rights<PortalRole, PortalCapability>({
  viewer: ['read'],
  admin: ['read', 'see-customers', 'write', 'keys', 'people'],
});

function rights<Role extends string, Capability extends string>(
  byRole: Readonly<Record<Role, readonly Capability[]>>,
) {
  const roles = Object.keys(byRole) as Role[];
  const sets = new Map(roles.map((role) => [role, new Set(byRole[role])] as const));
  const of = (role: Role) => sets.get(role) as ReadonlySet<Capability>;
  const rolesWith = (needed: Capability): readonly Role[] =>
    roles.filter((role) => of(role).has(needed));
  return {
    /** What a role allows. */
    of,
    /** The roles that allow something. */
    rolesWith,
    /** Whether a role allows something that another does not. */
    exceeds: (role: Role, other: Role): boolean => byRole[role].some((one) => !of(other).has(one)),
    /** The refusal of a caller with a role that does not allow it. */
    refusal: (role: Role, needed: Capability): string =>
      `This needs the role ${rolesWith(needed)[0]}; you have ${role}.`,
  };
}
