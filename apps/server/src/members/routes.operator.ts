import {
  ADD_ACCOUNT,
  APPROVE_ACCOUNT,
  CHANGE_ACCOUNT,
  CHANGE_MEMBER,
  CREATE_MEMBER,
  LIST_MEMBERS,
  READ_MEMBER,
  SUSPEND_ACCOUNT,
} from '@munshi/api';
import type { AskingOperator, Instant } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bindWrite, serveWrite } from '../door/door.ts';
import { readAlertsOfLate } from '../member-alerts/store.ts';
import { askingOperator, callerOf } from '../people/access.operator.ts';
import { readControl } from '../people/control.store.ts';
import type { Deps } from '../people/deps.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { hashNewPassword } from '../platform/sign-in/refuse-guessed.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import type { Asker } from '../writes/waiting-writes.ts';
import { doWrite, type Work } from '../writes/write.ts';
import { accountChange, accountFields } from './accounts.routes.ts';
import {
  accountChangeWaits,
  addAccount,
  changeAccount,
  explainAccountChange,
  findOwned,
  type OwnedAccount,
  setAccountStatus,
} from './accounts.service.ts';
import type { AccountRecord } from './accounts.store.ts';
import {
  changeMember,
  changesCapacity,
  explainIdentity,
  identityOf,
  identityWaits,
} from './changes.service.ts';
import { readMembersOfLate } from './records.store.ts';
import { type AskedIdentity, changeIdentity, createMember, putAccountsBack } from './service.ts';
import { findMember, listMembers, type MemberRecord } from './store.ts';
import { showMember, showOwnedAccount, type Viewing } from './view.operator.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What is shown of members besides themselves. */
type Known = Omit<Viewing, 'who'>;

/** What is shown of these members, besides that it depends on who looks. */
async function readKnown(
  db: Queryable,
  now: Instant,
  memberIds: readonly string[],
): Promise<Known> {
  const { requireSecondOperator } = await readPlatformSettings(db);
  return { now, requireSecondOperator, control: await readControl(db, memberIds) };
}

const viewingOf = async (
  { operator }: Pick<FastifyRequest, 'operator'>,
  { database, clock }: Deps,
  memberIds: readonly string[],
): Promise<Viewing> => ({
  ...(await readKnown(database.pool, clock.now(), memberIds)),
  who: askingOperator(operator),
});

/** The same of somebody to whom an operator gives a password with this request. */
const heldBy = <Seen extends Pick<Viewing, 'control'>>(
  { id }: { readonly id: string },
  known: Seen,
): Seen => ({
  ...known,
  control: {
    ...known.control,
    holdersOf: (one) => new Set([...known.control.holdersOf(one), id]),
  },
});

interface KnownMember {
  readonly member: MemberRecord;
  readonly known: Known;
}

/** A member as a write has left them, with what is shown besides. */
async function withKnown(
  db: Queryable,
  member: MemberRecord,
  { memberId, passwordHash }: AskedIdentity,
  now: Instant,
  asker: Asker,
): Promise<KnownMember> {
  const known = await readKnown(db, now, [memberId]);
  return { member, known: passwordHash === null ? known : heldBy(asker, known) };
}

/** Members: who they are, what they may take on, and their status. */
export function memberRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;
  const showTo = (viewing: Viewing) => (member: MemberRecord) => showMember(member, viewing);

  bind(app, CREATE_MEMBER, async (request) => {
    const viewing = await viewingOf(request, deps, []);
    const show = showTo(heldBy(viewing.who, viewing));
    const work = await createMember(deps, request.body);
    return { data: await doWrite(deps, callerOf(request), work, show) };
  });

  const changeOfIdentity = serveWrite(deps, CHANGE_MEMBER, {
    kind: 'member-password',
    read: ({ params, body }, hidden) =>
      identityOf(params.memberId, body, hidden?.passwordHash ?? null),
    needsTwo: async (_client, identity) => identityWaits(identity),
    explain: explainIdentity,
    work: async (client, identity, now, _ids, { asker }) => {
      const { memberId, passwordHash } = identity;
      const back =
        passwordHash === null ? {} : { after: await putAccountsBack(deps, client, memberId) };
      const done = await changeIdentity(client, identity);
      return {
        ...done,
        ...back,
        result: await withKnown(client, done.result, identity, now, asker),
      };
    },
    show: ({ member, known }, who) => showMember(member, { ...known, who }),
  });

  bind(app, CHANGE_MEMBER, async (request, reply) => {
    const { params, body } = request;
    if (!changesCapacity(body)) return changeOfIdentity(request, reply);
    const hash = body.password === undefined ? null : await hashNewPassword(deps, body.password);
    const identity = identityOf(params.memberId, body, hash);
    const caller = callerOf(request);
    const change = changeMember(deps, caller, identity, body);
    const who = askingOperator(request.operator);
    const show = ({ member, known }: KnownMember) => showMember(member, { ...known, who });
    const work: Work<KnownMember> = async (client, now, ids) => {
      const done = await change(client, now, ids);
      const result = await withKnown(client, done.result, identity, now, caller.actor);
      // Read again once deposits have left the member.
      const adds = async () =>
        show({ ...result, member: found(await findMember(pool, params.memberId), 'Member') });
      return { ...done, result, adds };
    };
    return { data: await doWrite(deps, caller, work, show) };
  });

  bind(app, READ_MEMBER, async (request) => {
    const { memberId } = request.params;
    const member = found(await findMember(pool, memberId), 'Member');
    return { data: showMember(member, await viewingOf(request, deps, [memberId])) };
  });

  bind(app, LIST_MEMBERS, async (request) => {
    const { search = null, status = null, online = null, accountStatus = null } = request.query;
    const page = pageOf(request.query);
    const filters = { search, status, online, accountStatus };
    const rows = await listMembers(pool, { ...filters, ...page.place });
    const ids = rows.map(({ memberId }) => memberId);
    const ofLate = await readMembersOfLate(pool, ids, deps.clock.now() - DAY_MS);
    const alertsOf = await readAlertsOfLate(pool, ids);
    const show = showTo(await viewingOf(request, deps, ids));
    const showListed = (member: MemberRecord) => {
      const { completedSince, ...record } = ofLate(member.memberId);
      const { seenAt, missed } = alertsOf(member.memberId);
      return {
        ...show(member),
        record,
        completedLastDay: completedSince,
        lastAlertSeenAt: seenAt,
        alertsMissed: missed,
      };
    };
    return pageAnswer(page, rows, ({ memberId }) => memberId, showListed);
  });
}

type KnownAccount = OwnedAccount & { readonly known: Known };

/** An account as a write has left it, with what is shown besides. */
const knownAccount = async (
  db: Queryable,
  owned: OwnedAccount,
  now: Instant,
): Promise<KnownAccount> => ({ ...owned, known: await readKnown(db, now, [owned.memberId]) });

const showKnownAccount = ({ memberId, account, known }: KnownAccount, who: AskingOperator) =>
  showOwnedAccount(memberId, account, { ...known, who });

/** Accounts of members: added pending, approved or suspended by an operator. */
export function memberAccountRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;
  bind(app, ADD_ACCOUNT, async (request) => {
    const { memberId } = request.params;
    const viewing = await viewingOf(request, deps, [memberId]);
    const caller = callerOf(request);
    const work = addAccount(caller.actor, memberId, accountFields(request));
    const show = (account: AccountRecord) => showOwnedAccount(memberId, account, viewing);
    return { data: await doWrite(deps, caller, work, show) };
  });

  bindWrite(app, deps, CHANGE_ACCOUNT, {
    kind: 'account-change',
    read: (asked) => ({ accountId: asked.params.accountId, change: accountChange(asked) }),
    needsTwo: accountChangeWaits,
    explain: explainAccountChange,
    work: async (client, asked, now) => {
      const done = await changeAccount(client, asked, now);
      return { ...done, result: await knownAccount(client, done.result, now) };
    },
    show: showKnownAccount,
  });

  bind(app, APPROVE_ACCOUNT, (request) => setStatus(request, 'approved'));
  bind(app, SUSPEND_ACCOUNT, (request) => setStatus(request, 'suspended'));

  async function setStatus(
    request: FastifyRequest<{ Params: { accountId: string } }>,
    status: 'approved' | 'suspended',
  ) {
    const caller = callerOf(request);
    const change = setAccountStatus(deps, caller, request.params.accountId, status);
    const who = askingOperator(request.operator);
    const show = (account: KnownAccount) => showKnownAccount(account, who);
    const work: Work<KnownAccount> = async (client, now, ids) => {
      const done = await change(client, now, ids);
      const result = await knownAccount(client, done.result, now);
      const { memberId, account } = result;
      // Read again once deposits have left the account, which gives its day back.
      const adds = async () =>
        show({ ...result, account: await findOwned(pool, memberId, account.accountId) });
      return { ...done, result, adds };
    };
    return { data: await doWrite(deps, caller, work, show) };
  }
}
