import type { Approval } from '@munshi/core';
import { areIndependent, type Control, type KeyFetchers, namedFetchers } from '@munshi/core';
import { readControl, readMerchantActs } from '../people/control.store.ts';
import { listAdminsWithCodes } from '../people/portal-users.store.ts';
import type { Queryable } from '../platform/database/queryable.ts';

/** Who fetches an approved API key of a merchant: its own people, where there are any. */

/**
 * Who controls the people of a merchant: who let them in may have been let in by another person.
 */
export async function readMerchantControl(db: Queryable, merchantId: string): Promise<Control> {
  const { people } = await readMerchantActs(db, merchantId);
  return readControl(db, people);
}

/**
 * The admins of a merchant who can sign in, have one-time codes and are independent of the operator
 * who asks for the key. Undefined: there are none, and the operator fetches it.
 */
export async function readKeyFetchers(
  db: Queryable,
  merchantId: string,
  asker: { readonly id: string },
): Promise<KeyFetchers | undefined> {
  const admins = await listAdminsWithCodes(db, merchantId);
  if (admins.length === 0) return undefined;
  const control = await readMerchantControl(db, merchantId);
  const fetchers = admins.filter(({ portalUserId }) =>
    areIndependent(control, portalUserId, asker.id),
  );
  if (fetchers.length === 0) return undefined;
  return {
    fetchedBy: listed(fetchers.map(({ name }) => name)),
    fetchedByIds: listed(fetchers.map(({ portalUserId }) => portalUserId)),
  };
}

const listed = (each: readonly string[]): string => each.toSorted().join(', ');

/** Of these requests: who fetches the key in place of its asker. People may have come since. */
export async function readFetchers(
  db: Queryable,
  approvals: readonly Approval[],
): Promise<(approval: Approval) => KeyFetchers | undefined> {
  const came = new Map<string, KeyFetchers | undefined>();
  for (const approval of approvals) {
    const { approvalId, kind, status, target, requestedBy } = approval;
    if (kind === 'api-key' && status === 'approved' && namedFetchers(approval) === undefined)
      came.set(approvalId, await readKeyFetchers(db, target, { id: requestedBy }));
  }
  return (approval) => namedFetchers(approval) ?? came.get(approval.approvalId);
}
