import { audited } from '../audit.ts';
import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Member, MemberAccount } from '../matching.ts';
import type { Actor } from '../rows.ts';
import { refuseSuspended } from './acting-member.ts';

/**
 * Changes what decides whether a member gets orders: presence, status, capacity, approval and pause
 * of accounts.
 */
export interface UpdateMember {
  readonly kind: 'update-member';
  readonly commandId: string;
  readonly memberId: string;
  readonly online?: boolean;
  readonly status?: Member['status'];
  readonly maxOpenOrders?: number;
  readonly account?: { readonly accountId: string } & Partial<
    Pick<MemberAccount, 'status' | 'paused'>
  >;
  readonly actor: Actor;
}

export const keys = ({ memberId }: UpdateMember): Keys => ({ members: [memberId] });

export function decide(command: UpdateMember, view: View, ctx: Context): Decision<Member> {
  const member = view.members.get(command.memberId);
  if (member === undefined) return refuse('not-found', 'Member not found.');
  const suspended =
    command.actor.kind === 'member' ? refuseSuspended(command.actor.id, view) : undefined;
  if (suspended !== undefined) return suspended;
  const {
    account,
    actor,
    memberId,
    maxOpenOrders = member.maxOpenOrders,
    online = member.online,
    status = member.status,
  } = command;
  if (command.online === true && status !== 'active')
    return refuse('wrong-state', 'This member is suspended and cannot come online.');
  if (
    account !== undefined &&
    !member.accounts.some(({ accountId }) => accountId === account.accountId)
  )
    return refuse('not-found', 'Account not found.');

  const accounts = account
    ? member.accounts.map((own) =>
        own.accountId === account.accountId ? { ...own, ...account } : own,
      )
    : member.accounts;
  const updated: Member = { ...member, online, status, maxOpenOrders, accounts };
  // Presence and pauses of a member are too many to be recorded, and say nothing later.
  if (actor.kind !== 'operator' && account?.status === undefined)
    return accept(updated, { members: [updated] });
  const detail = {
    online,
    status,
    maxOpenOrders,
    accountId: account?.accountId ?? null,
    accountStatus: account?.status ?? null,
  };
  return accept(updated, {
    members: [updated],
    audit: audited('member.update', memberId, detail, command, ctx),
  });
}
