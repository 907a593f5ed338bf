import {
  ACCOUNT_OBJECTIONS,
  type AccountObjection,
  accountObjection,
  type Instant,
  MEMBER_OBJECTIONS,
  type MemberObjection,
  memberObjection,
  type Need,
  needOfAnother,
  type Order,
  serves,
} from '@munshi/core';
import { servingMethods } from '../engine/rows/candidates.ts';
import type { AccountRecord } from '../members/accounts.store.ts';
import { listMembersServing, type MemberRecord } from '../members/store.ts';
import { found } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { findOrder } from './store.ts';

/** A member with what the rules of matching have against them for an order. */
export interface Candidate {
  readonly member: MemberRecord;
  readonly objection: MemberObjection | undefined;
  readonly accounts: readonly {
    readonly account: AccountRecord;
    readonly objection: AccountObjection | undefined;
  }[];
}

/** Members whose rules are looked at; those online come first. */
const LOOKED_AT_MAX = 500;
const SHOWN_MAX = 50;

/** Who could take an order as things are, and what keeps others from it. Throws `not-found`. */
export async function findCandidatesOf(
  { database: { pool }, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  orderId: string,
): Promise<{ readonly order: Order; readonly candidates: readonly Candidate[] }> {
  const { order } = found(await findOrder(pool, orderId), 'Order');
  const need = needOfAnother(order);
  const members = await listMembersServing(pool, servingMethods(need), LOOKED_AT_MAX);
  const now = clock.now();
  const candidates = members
    .map((member) => candidateOf(member, need, now))
    .sort((a, b) => nearnessOf(b) - nearnessOf(a));
  return { order, candidates: candidates.slice(0, SHOWN_MAX) };
}

const candidateOf = (member: MemberRecord, need: Need, now: Instant): Candidate => ({
  member,
  objection: memberObjection(member, need),
  accounts: member.accounts
    .filter((account) => serves(account, need))
    .map((account) => ({ account, objection: accountObjection(account, need, now) })),
});

/** How many rules have said yes before the first no, of the member and of their best account. */
function nearnessOf({ objection, accounts }: Candidate): number {
  const passed = <Code>(ladder: readonly Code[], at: Code | undefined) =>
    at === undefined ? ladder.length : ladder.indexOf(at);
  const best = accounts.map((each) => passed(ACCOUNT_OBJECTIONS, each.objection));
  return passed(MEMBER_OBJECTIONS, objection) + Math.max(0, ...best);
}
