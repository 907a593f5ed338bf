import { OPERATORS_MAY, type OperatorCapability } from '@munshi/core';
import { PERSON_KINDS, type PersonKind } from '../platform/sign-in/person-kinds.ts';

/**
 * Where each kind of person is. Their own row has the password and the last sign-in; sessions,
 * links and failures are tables of all kinds (decision 31).
 */
const TABLES = {
  operator: { table: 'operators', id: 'operator_id' },
  member: { table: 'members', id: 'member_id' },
  portal: { table: 'portal_users', id: 'portal_user_id' },
} as const satisfies Record<PersonKind, { readonly table: string; readonly id: string }>;

/** Who may have one-time codes, and whose last sign-in is kept. */
export const CODE_KINDS = ['operator', 'portal'] as const satisfies readonly PersonKind[];
export type CodeKind = (typeof CODE_KINDS)[number];

/** The same statement for the table of each of these kinds of person. */
export const byPersonKind = <Made, Kind extends PersonKind = PersonKind>(
  make: (kind: Kind, place: { readonly table: string; readonly id: string }) => Made,
  kinds: readonly Kind[] = PERSON_KINDS as readonly PersonKind[] as readonly Kind[],
) =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind, TABLES[kind])])) as Readonly<
    Record<Kind, Made>
  >;

/** The operators' roles that allow something, as a list of SQL. */
export const rolesWith = (needed: OperatorCapability): string =>
  `(${OPERATORS_MAY.rolesWith(needed)
    .map((role) => `'${role}'`)
    .join(', ')})`;
