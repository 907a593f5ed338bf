import {
  type Approval,
  type Fetcher,
  type Instant,
  type Objection,
  refuseApproval,
  refuseGiver,
} from '@munshi/core';
import { type ApproverDeps, readApprovers } from '../people/approvers.service.ts';
import { readGivers } from '../people/credentials.store.ts';
import type { Approver } from '../people/operators.store.ts';
import { listAdminsWithCodes } from '../people/portal-users.store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { isFetched } from '../writes/waiting-writes.ts';
import { type AskedOrder, readAskedOrders } from './asked-orders.store.ts';

/** What depends on other rows of who decides requests, and who fetches what they give. */
export interface Rules {
  /**
   * Against an approver besides the asker: who last gave a way to sign in to the asker, or to one of
   * the people whom the request is about.
   */
  giver(approval: Approval, who: { readonly id: string }): Objection;
  fetcher(approval: Approval): Fetcher | null;
  /** The order that it is about. */
  order(approval: Approval): AskedOrder | undefined;
}

export async function readRules(db: Queryable, approvals: readonly Approval[]): Promise<Rules> {
  const orderIds = approvals.filter(isAboutOrder).map(({ target }) => target);
  const orders = await readAskedOrders(db, orderIds);
  const peopleOf = (approval: Approval) => {
    const { kind, target, request, requestedBy } = approval;
    const ids = [
      requestedBy,
      isAboutOrder(approval) ? orders.get(target)?.memberId : undefined,
      kind === 'member-recovery' ? target : undefined,
      request['memberId'],
      request['portalUserId'],
    ];
    return ids.filter((id) => typeof id === 'string');
  };
  const merchantOf = ({ kind, target, request }: Approval) =>
    kind === 'own-keys' && request['allowed'] === true ? [target] : [];
  const { people, adminsOf } = await readGivers(
    db,
    approvals.flatMap(peopleOf),
    approvals.flatMap(merchantOf),
  );
  const keys = approvals.filter(({ kind }) => kind === 'api-key');
  const admins = await listAdminsWithCodes(
    db,
    keys.map(({ target }) => target),
  );
  const hasOwnFetcher = ({ target, requestedBy }: Approval) => {
    const asker = people.get(requestedBy) ?? requestedBy;
    return admins.some((one) => one.merchantId === target && one.credentialBy !== asker);
  };
  return {
    giver: (approval, who) =>
      refuseGiver(
        [
          ...peopleOf(approval).map((id) => people.get(id) ?? null),
          ...merchantOf(approval).flatMap(adminsOf),
        ],
        who,
      ),
    fetcher(approval) {
      if (approval.kind === 'api-key') return hasOwnFetcher(approval) ? 'merchant' : 'approver';
      return isFetched(approval.kind) ? 'asker' : null;
    },
    order: (approval) => (isAboutOrder(approval) ? orders.get(approval.target) : undefined),
  };
}

const isAboutOrder = ({ kind }: Approval): boolean =>
  kind === 'order-confirm' || kind === 'order-resolve';

/** Who of these approvers can approve a request, by name. */
export const approversOf = (
  approval: Approval,
  rules: Pick<Rules, 'giver'>,
  approvers: readonly Approver[],
  now: Instant,
): readonly string[] =>
  approvers
    .filter(
      (who) => (refuseApproval(approval, who, now) ?? rules.giver(approval, who)) === undefined,
    )
    .map(({ name }) => name);

/** The same of one request. */
export async function readApproversOf(
  db: Queryable,
  deps: ApproverDeps,
  approval: Approval,
): Promise<readonly string[]> {
  const [rules, approvers] = [await readRules(db, [approval]), await readApprovers(db, deps)];
  return approversOf(approval, rules, approvers, deps.clock.now());
}
