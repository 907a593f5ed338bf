import {
  type AskingOperator,
  dayAt,
  formatMoney,
  type Instant,
  type Money,
  oneZone,
  type Period,
  periodOfDay,
  refuseCount,
  refuseEnded,
  refuseSignature,
  startOfDay,
  timeZoneOf,
  WALLET_CURRENCY,
} from '@munshi/core';
import type pg from 'pg';
import { timeOfChange } from '../engine/rows/terms.ts';
import { readOrigin } from '../people/credentials.store.ts';
import type { Deps } from '../people/deps.ts';
import { withinTime } from '../platform/database/limited.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { LONG_MS, refusingSlow } from '../platform/database/slow.ts';
import { FieldErrors, fieldError, found, Refused, refuseOn } from '../platform/refusals.ts';
import type { Work } from '../writes/write.ts';
import {
  type Closing,
  type ClosingMember,
  type ClosingMerchant,
  endClosing,
  findClosing,
  findOpenClosing,
  insertClosing,
  lockClosing,
  noteCount,
  readClosedUntil,
  readMemberOf,
  readMembersOf,
  readMerchantsOf,
  readStoredMembers,
  readStoredMerchants,
  storeCount,
  storeMembers,
  storeMerchants,
} from './store.ts';

/**
 * Closing a day or shift: the counter says where it ends, which nothing is posted before any more,
 * types in what was counted, and another operator signs. Figures are read from the ledger until then
 * and stored with the signature (decision 35).
 */

/** Days end where the wallets' currency is. */
const ZONES = oneZone(timeZoneOf([WALLET_CURRENCY]));
/** A closing cannot be undone, so none ends by a clock that is in doubt. */
type ClosingDeps = Pick<Deps, 'database' | 'clock' | 'clockCheck'>;
type Who = AskingOperator & { readonly name: string };

export interface Figures {
  readonly merchants: readonly ClosingMerchant[];
  readonly members: readonly ClosingMember[];
}

/** Nothing was typed in yet; null with a note says that it could not be counted. */
export const isUncounted = ({ counted, note }: ClosingMember) => counted === null && note === null;

async function figuresOf(db: Queryable, closing: Closing): Promise<Figures> {
  if (closing.status === 'signed')
    return {
      merchants: await readStoredMerchants(db, closing.closingId),
      members: await readStoredMembers(db, closing.closingId),
    };
  return figuresOfPeriod(db, closing, closing.closingId);
}

const figuresOfPeriod = async (
  db: Queryable,
  period: Period,
  closingId: string | null,
): Promise<Figures> => ({
  merchants: await readMerchantsOf(db, period),
  members: await readMembersOf(db, period, closingId),
});

export interface ReadClosing extends Figures {
  readonly closing: Closing;
  /** The operators of the server who let in its counter and the reader. */
  readonly origins: { readonly counter: string; readonly signer: string };
}

/** Throws `not-found` and `too-slow`. */
export const readClosing = (
  { database }: Pick<Deps, 'database'>,
  closingId: string,
  who: Pick<AskingOperator, 'id'>,
): Promise<ReadClosing> =>
  withinItsTime(database, async (db) => {
    const closing = found(await findClosing(db, closingId), 'Closing');
    return {
      closing,
      origins: await originsOf(db, closing, who),
      ...(await figuresOf(db, closing)),
    };
  });

async function originsOf(db: Queryable, closing: Closing, who: Pick<AskingOperator, 'id'>) {
  return {
    counter: await readOrigin(db, closing.countedBy),
    signer: await readOrigin(db, who.id),
  };
}

interface NextClosing extends Figures, Period {
  readonly dayEnds: readonly Instant[];
}

/** What a closing would have that ended now, or at `to`. Throws FieldErrors and `too-slow`. */
export const previewClosing = (
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  to: Instant | undefined,
): Promise<NextClosing> =>
  withinItsTime(database, async (db) => {
    const now = clock.now();
    const closedUntil = await readClosedUntil(db);
    const period = periodUntil(to ?? now, closedUntil, now);
    return {
      ...period,
      dayEnds: dayEndsOf(closedUntil, now),
      ...(await figuresOfPeriod(db, period, null)),
    };
  });

const LISTED_DAYS = 31;

/** The latest first; before the first closing, of the last days. */
function dayEndsOf(closedUntil: Instant | null, now: Instant): readonly Instant[] {
  const ends: Instant[] = [];
  let end = startOfDay(dayAt(now, ZONES), ZONES);
  while (ends.length < LISTED_DAYS && end > (closedUntil ?? 0)) {
    ends.push(end);
    end = startOfDay(dayAt(end - 1, ZONES), ZONES);
  }
  return ends;
}

function periodUntil(to: Instant, closedUntil: Instant | null, now: Instant, field = 'to'): Period {
  if (to > now) throw new FieldErrors({ [field]: ['must not be in the future.'] });
  const from = closedUntil ?? periodOfDay(dayAt(to - 1, ZONES), ZONES).from;
  if (to <= from)
    throw new FieldErrors({ [field]: ['must be after the end of the last closing.'] });
  return { from, to };
}

/**
 * Its end is chosen while no batch runs, and every later batch posts from there on. Throws
 * FieldErrors, and `wrong-state` while another one is open or the clock is in doubt.
 */
export const beginClosing =
  ({ clock, clockCheck }: ClosingDeps, who: Who, to: Instant | undefined): Work<Closing> =>
  async (client, _now, ids) => {
    if ((await clockCheck.doubt()) !== undefined)
      throw new Refused(
        'wrong-state',
        'The clock of the service is in doubt, so that no day can be closed. Try again in a minute.',
      );
    const begunAt = await timeOfChange(client, clock.now);
    if ((await findOpenClosing(client)) !== undefined)
      throw new Refused('wrong-state', 'Another closing is open. Have it signed, or discard it.');
    const closingId = ids.uuid(begunAt);
    const period = periodUntil(to ?? begunAt, await readClosedUntil(client), begunAt, '$.to');
    const begun = { closingId, ...period, countedBy: who.id, countedByName: who.name, begunAt };
    await insertClosing(client, { ...begun, status: 'open' });
    const result = found(await findClosing(client, closingId), 'Closing');
    return { result, action: 'closing.begin', target: closingId, detail: periodDetail(period) };
  };

const periodDetail = ({ from, to }: Period) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

interface Counted {
  readonly closingId: string;
  readonly memberId: string;
  readonly counted: Money | null;
  readonly note: string | null;
}

/** Throws `not-found`, the refusals of refuseCount, and FieldErrors. */
export const countFloat =
  (who: Who, given: Counted): Work<ClosingMember> =>
  async (client, now) => {
    const { closingId, memberId, counted, note } = given;
    const closing = await lockFound(client, closingId);
    refuseOn(refuseCount(closing, who));
    const member = await readMemberOf(client, closing, memberId);
    if (member === undefined)
      throw fieldError('memberId', 'is no member with a float in this closing.');
    if (counted !== member.closing && note === null)
      throw fieldError(
        'note',
        counted === null ? 'must say why it was not counted.' : 'must say why it differs.',
      );
    await storeCount(client, given);
    await noteCount(client, closingId, Math.max(now, (closing.countedAt ?? 0) + 1));
    const detail = { memberId, counted: counted === null ? null : formatMoney(counted), note };
    return {
      result: { ...member, counted, note },
      action: 'closing.count',
      target: closingId,
      detail,
    };
  };

interface Signature {
  readonly closingId: string;
  /** What the signer has read. */
  readonly countedAt: Instant | null;
  readonly note: string | null;
}

/** Throws `not-found`, the refusals of refuseSignature, and `wrong-state` if counted again. */
export const signClosing =
  (who: Who, { closingId, countedAt, note }: Signature): Work<Closing> =>
  async (client, at) => {
    const closing = await lockFound(client, closingId);
    const { merchants, members } = await figuresOf(client, closing);
    const uncounted = members.filter(isUncounted).length;
    const origins = await originsOf(client, closing, who);
    refuseOn(refuseSignature(closing, { origins, uncounted }, who));
    if (closing.countedAt !== countedAt)
      throw new Refused('wrong-state', 'It was counted again since you read it. Read it again.');
    await storeMerchants(client, closing);
    await storeMembers(client, closing);
    const sum = (amounts: readonly Money[]) => formatMoney(amounts.reduce((a, b) => a + b, 0n));
    const detail = {
      ...periodDetail(closing),
      note,
      wallets: sum(merchants.map((row) => row.closing)),
      frozen: sum(merchants.map((row) => row.frozenClosing)),
      floats: sum(members.map((row) => row.closing)),
      counted: sum(members.map((row) => row.counted ?? 0n)),
    };
    return end(client, { closing, status: 'signed', who, at, note, detail });
  };

/** Throws `not-found` and `wrong-state`. */
export const discardClosing =
  (who: Who, { closingId, note }: { readonly closingId: string; readonly note: string }) =>
  async (client: pg.PoolClient, at: Instant): ReturnType<Work<Closing>> => {
    const closing = await lockFound(client, closingId);
    refuseOn(refuseEnded(closing));
    const detail = { ...periodDetail(closing), note };
    return end(client, { closing, status: 'discarded', who, at, note, detail });
  };

const lockFound = async (client: Queryable, closingId: string) =>
  found(await lockClosing(client, closingId), 'Closing');

async function end(
  client: Queryable,
  ended: {
    readonly closing: Closing;
    readonly status: 'signed' | 'discarded';
    readonly who: Who;
    readonly at: Instant;
    readonly note: string | null;
    readonly detail: Readonly<Record<string, string | null>>;
  },
) {
  const { closing, status, who, at, note, detail } = ended;
  const { closingId } = closing;
  await endClosing(client, { closingId, status, by: who, at, note });
  const result: Closing = {
    ...closing,
    ...{ status, note, decidedBy: who.id, decidedByName: who.name, decidedAt: at },
  };
  const action = status === 'signed' ? ('closing.sign' as const) : ('closing.discard' as const);
  return { result, action, target: closingId, detail };
}

const withinItsTime = <T>(database: Deps['database'], work: (db: Queryable) => Promise<T>) =>
  refusingSlow(
    () => 'Close a shorter period.',
    () => withinTime(database, work, LONG_MS),
  );
