import { CHANGE_MEMBER, type ChangeMember } from '@munshi/api';
import { findMember, type MemberRecord } from '../storage/members/members.ts';
import { type ApprovalDeps, performOrAsk, type Waiting } from './approvals.ts';
import type { ServiceDeps } from './deps.ts';
import { updateMember } from './members.ts';
import { hashNewPassword } from './passwords.ts';
import { found } from './refusals.ts';
import { requireAlone } from './settings.ts';
import type { OperatorCaller } from './write.ts';

/**
 * Changes who a member is and what they may take on; answers what `show` makes of the member. A new
 * password waits for a second operator while one is required, and is then asked for alone (D66).
 * Throws `not-found`, `already-exists` for a username, `wrong-state`, and FieldErrors.
 */
export async function changeMember<Shown extends object>(
  deps: ApprovalDeps & Pick<ServiceDeps, 'log'>,
  caller: OperatorCaller,
  memberId: string,
  { maxOpenOrders, status, ...identity }: ChangeMember,
  show: (member: MemberRecord) => Shown,
): Promise<Shown | Waiting> {
  const { pool } = deps.database;
  const findOne = async () => found(await findMember(pool, memberId), 'Member');
  await findOne();
  const change = {
    ...(maxOpenOrders !== undefined && { maxOpenOrders }),
    ...(status !== undefined && { status }),
  };
  const changesMore = Object.keys(change).length > 0;
  if (Object.keys(identity).length > 0) {
    if (identity.password !== undefined && changesMore) await requireAlone(pool);
    const operation = await identityChange(memberId, identity);
    if (!changesMore) return performOrAsk(deps, caller, operation, show);
    await performOrAsk(deps, caller, { ...operation, waits: false });
  }
  if (changesMore) await updateMember(deps, caller, memberId, change);
  return show(await findOne());
}

async function identityChange(
  memberId: string,
  { name, username, password }: Pick<ChangeMember, 'name' | 'username' | 'password'>,
) {
  const hidden = password === undefined ? null : { passwordHash: await hashNewPassword(password) };
  const request = {
    memberId,
    ...(name !== undefined && { name }),
    ...(username !== undefined && { username }),
    ...(hidden && { password: 'a new one' }),
  };
  const kind = 'member-password';
  return {
    kind,
    target: memberId,
    request,
    hidden,
    waits: CHANGE_MEMBER.decides.needsTwo(undefined, { password }),
  } as const;
}
