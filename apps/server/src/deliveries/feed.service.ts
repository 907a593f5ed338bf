import { createSigner, unsignedHeaders } from '../api-keys/sign-webhook.ts';
import { readKeyOf } from '../api-keys/store.ts';
import { FIRST_ID } from '../platform/database/first-id.ts';
import type { Vault } from '../platform/vault.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { type DatabaseTime, type Outcome, readOutcomes, readSettled } from './feed.store.ts';

/**
 * The outcomes of a merchant's orders, each once in a pass (decision 33). A pass goes from window to
 * window of the database's clock: a window ends before every transaction under way began, so that
 * nothing is added to it. In a window outcomes are in the order of their ids, of one order in the
 * order in which they happened.
 */

/** A place: the begin of a window, or within one. */
interface Place {
  readonly from: DatabaseTime;
  readonly within?: { readonly to: DatabaseTime; readonly after: string };
}

const CURSOR = /^(\d{1,16})(?:-(\d{1,16})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?$/;

/** Undefined for what is no cursor. */
export function readCursor(text: string): Place | undefined {
  const [whole, from, to, after] = CURSOR.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return {
    from: Number(from),
    ...(after !== undefined && { within: { to: Number(to), after } }),
  };
}

const cursorOf = ({ from, within }: Place): string =>
  within === undefined ? String(from) : `${from}-${within.to}-${within.after}`;

/** How far back a pass begins without a cursor; an older cursor goes on where it is. */
const BEGINS_BACK_US = 30 * 24 * 3_600_000_000;

export interface FeedQuestion {
  readonly apiKeyHash: string;
  /** Undefined: from the begin. */
  readonly after: Place | 'now' | undefined;
  readonly limit: number;
}

export interface FeedPage {
  readonly merchantId: string;
  readonly outcomes: readonly Outcome[];
  readonly next: string;
  /** Something was recorded that is not settled yet. */
  readonly hasMoreSoon: boolean;
}

/** The outcomes behind a place. The key is checked by the statement that reads them. */
export async function readFeed(
  { database: { pool } }: Pick<ServiceDeps, 'database'>,
  { apiKeyHash, after, limit }: FeedQuestion,
): Promise<FeedPage | 'key-not-active'> {
  const { now, settled } = await readSettled(pool);
  let place = placeOf(after, { now, settled });
  let isLastWindow = place.within === undefined;
  let hasMoreSoon = false;
  for (;;) {
    // A clock that was set back leaves a place ahead: it goes on by the clock (decision 33).
    const from = Math.min(place.from, now);
    const to = Math.max(from, Math.min(place.within?.to ?? settled, now));
    const range = { from, to, after: place.within?.after ?? FIRST_ID };
    const rows = await readOutcomes(pool, { apiKeyHash, ...range, limit });
    const [first] = rows;
    if (first === undefined) return 'key-not-active';
    const found = rows.flatMap(({ outcome }) => outcome ?? []);
    const outcomes = found.filter(({ isSettled }) => isSettled);
    hasMoreSoon ||= outcomes.length < found.length;
    const last = found.length < limit ? undefined : found.at(-1);
    place = last === undefined ? { from: to } : { from, within: { to, after: last.deliveryId } };
    if (outcomes.length > 0 || (last === undefined && isLastWindow))
      return { merchantId: first.merchantId, outcomes, next: cursorOf(place), hasMoreSoon };
    isLastWindow ||= last === undefined;
  }
}

function placeOf(
  after: FeedQuestion['after'],
  { now, settled }: { readonly now: DatabaseTime; readonly settled: DatabaseTime },
): Place {
  if (after === 'now') return { from: settled };
  return after ?? { from: now - BEGINS_BACK_US };
}

/** The headers of an attempt that are about the event, as they are written. */
const HEADERS = [
  'Content-Type',
  'X-SVC-Event',
  'X-SVC-Signature',
  'X-SVC-Key-Prefix',
  'X-SVC-Delivery-Id',
  'X-SVC-Timestamp',
] as const;

export interface FeedEvent {
  readonly deliveryId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Outcomes as an attempt now would send them; without a secret that signs they have no signature
 * (webhooks.md#which-secret).
 */
export function createFeedView({
  database: { pool },
  clock,
  vault,
}: Pick<ServiceDeps, 'database' | 'clock'> & { readonly vault: Vault }) {
  const sign = createSigner(vault);
  return async ({ merchantId, outcomes }: FeedPage): Promise<readonly FeedEvent[]> => {
    if (outcomes.length === 0) return [];
    const keyOf = await readKeyOf(pool, merchantId);
    const now = clock.now();
    return outcomes.map((outcome) => {
      const signed = sign(outcome, keyOf(outcome), now);
      const headers = signed.ok ? signed.headers : unsignedHeaders(outcome, now);
      return {
        deliveryId: outcome.deliveryId,
        headers: Object.fromEntries(
          HEADERS.flatMap((name) => {
            const value = headers[name.toLowerCase()];
            return value === undefined ? [] : [[name, value]];
          }),
        ),
        body: outcome.body.toString('utf8'),
      };
    });
  };
}
