import { areIndependent, type Control, type KeyFetchers } from '@munshi/core';
import { readControl } from '../people/control.store.ts';
import { readOperatorNames } from '../people/operators.store.ts';
import { listAdminsWithCodes } from '../people/portal-users.store.ts';
import { OPERATOR_TOKENS } from '../platform/config.ts';
import type { Queryable } from '../platform/database/queryable.ts';

/** Who fetches an approved API key of a merchant: its own people, where there are any. */

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
  const control = await readControl(
    db,
    admins.map(({ portalUserId }) => portalUserId),
  );
  const fetchers = admins.filter(({ portalUserId }) =>
    areIndependent(control, portalUserId, asker.id),
  );
  if (fetchers.length === 0) return undefined;
  const ids = fetchers.map(({ portalUserId }) => portalUserId);
  return {
    fetchedBy: listed(fetchers.map(({ name }) => name)),
    fetchedByIds: listed(ids),
    letInBy: await operatorsBehind(db, control, ids),
    letInByIds: listed(holdersOf(control, ids)),
  };
}

/** The names of the operators who can act for one of these people of a merchant. */
export async function operatorsBehind(
  db: Queryable,
  control: Control,
  people: readonly string[],
): Promise<string> {
  const holders = holdersOf(control, people);
  const named = (await readOperatorNames(db)).filter(({ operatorId }) =>
    holders.includes(operatorId),
  );
  const tokens = Object.entries(OPERATOR_TOKENS).filter(([, id]) => holders.includes(id));
  return listed([...named.map(({ name }) => name), ...tokens.map(([name]) => name)]);
}

/** Who can act for one of these people, besides these. */
const holdersOf = (control: Control, people: readonly string[]): readonly string[] =>
  [...new Set(people.flatMap((id) => [...control.holdersOf(id)]))].filter(
    (id) => !people.includes(id),
  );

const listed = (each: readonly string[]): string => each.toSorted().join(', ');
