import type { Instant } from './order.ts';

/** What a merchant's own people may do in the portal: viewer reads, admin also changes. */
export const PORTAL_ROLES = ['viewer', 'admin'] as const;
export type PortalRole = (typeof PORTAL_ROLES)[number];

/** Whether a role includes what another may do. */
export const includesPortalRole = (role: PortalRole, needed: PortalRole): boolean =>
  PORTAL_ROLES.indexOf(role) >= PORTAL_ROLES.indexOf(needed);

/** One of a merchant's own people. */
export interface PortalUser {
  readonly portalUserId: string;
  readonly merchantId: string;
  readonly username: string;
  readonly name: string;
  readonly role: PortalRole;
  readonly status: 'active' | 'suspended';
  readonly createdAt: Instant;
}
