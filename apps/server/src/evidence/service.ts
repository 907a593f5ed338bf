import { hash } from 'node:crypto';
import {
  EVIDENCE_BYTES_MAX,
  EVIDENCE_PER_CUSTOMER,
  EVIDENCE_PER_MEMBER,
  EVIDENCE_SIDE_MAX,
  EVIDENCE_UPLOAD_BYTES_MAX,
  type EvidenceKind,
  type Instant,
  isLookedFor,
  type OrderId,
} from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import { inTransaction } from '../platform/database/db.ts';
import { bytesOf, DRAW_MS, type Drawn, drawAnew } from '../platform/pictures/picture.ts';
import { fieldError, found, Refused } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import type { Work } from '../writes/write.ts';
import { type Caller, recordedWrite } from '../writes/write.ts';
import {
  deletePicturesBefore,
  type Evidence,
  findEvidence,
  insertEvidence,
  listEvidenceOf,
  lockEvidenceOf,
  lockPaid,
} from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Pictures deleted at once: each takes its pieces with it. */
const SLICE = 100;

const LIMITS = {
  uploadBytesMax: EVIDENCE_UPLOAD_BYTES_MAX,
  /** What most telephones take. */
  pixelsMax: 16_000_000,
  drawMs: DRAW_MS,
  bytesMax: EVIDENCE_BYTES_MAX,
  box: { width: EVIDENCE_SIDE_MAX, height: EVIDENCE_SIDE_MAX },
  tries: [
    { scale: 1, quality: 80 },
    { scale: 1, quality: 60 },
    { scale: 0.7, quality: 60 },
    { scale: 0.4, quality: 50 },
    { scale: 0.25, quality: 40 },
  ],
  // A photo took 90 ms of a core, and 230 ms with an effort of 5 that saved 2 %.
  effort: 2,
} as const;

interface HandedIn {
  readonly orderId: OrderId;
  readonly kind: EvidenceKind;
  /** Base64, or a `data:` URL. */
  readonly picture: string;
}

/** The sender of a picture, and how many of an order they may hand in. */
interface Sender {
  readonly memberId: string | null;
  /** By which their pictures wait for each other. */
  readonly key: string;
  readonly most: number;
}

/**
 * A member hands in a picture about an order that is or was theirs, which the caller has looked at.
 * The same picture again answers the first. Changes neither the order nor any money. Throws
 * FieldErrors where it is no picture, `too-many`, TooManyWaiting and UnavailableError.
 */
export async function addEvidence(
  deps: Pick<ServiceDeps, 'database' | 'notices'>,
  memberId: string,
  { orderId, kind, picture: text }: HandedIn,
): Promise<Work<Evidence>> {
  const content = bytesOf(text);
  if (content === undefined) throw fieldError('picture', 'must be a data: URL or base64.');
  const sender = { memberId, key: memberId, most: EVIDENCE_PER_MEMBER };
  const keep = await prepareEvidence(deps, sender, { orderId, kind, content });
  return async (client, now, ids) => {
    const result = await keep(client, now, ids);
    const detail = { evidenceId: result.evidenceId, kind, sha256: result.sha256 };
    const after = () => deps.notices.changed([{ kind: 'order', id: orderId }]);
    return { result, action: 'evidence.add', target: orderId, detail, after };
  };
}

/**
 * The same by the customer of a payment that is looked for. The order is locked meanwhile: a
 * picture comes before its decision, or is refused. Throws `wrong-state`, too.
 */
export async function addCustomerPicture(
  deps: Pick<ServiceDeps, 'clock' | 'database' | 'ids' | 'notices'>,
  orderId: OrderId,
  content: Buffer,
): Promise<void> {
  const sender = { memberId: null, key: orderId, most: EVIDENCE_PER_CUSTOMER };
  const keep = await prepareEvidence(deps, sender, { orderId, kind: 'paid', content });
  await inTransaction(deps.database.pool, async (client) => {
    const order = await lockPaid(client, orderId);
    if (order === undefined || !isLookedFor(order))
      throw new Refused('wrong-state', 'This payment takes no picture now.');
    await keep(client, deps.clock.now(), deps.ids);
  });
  deps.notices.changed([{ kind: 'order', id: orderId }]);
}

/** Draws what was sent, and answers how it is kept. */
async function prepareEvidence(
  { database }: Pick<ServiceDeps, 'database'>,
  sender: Sender,
  { orderId, kind, content }: Pick<HandedIn, 'orderId' | 'kind'> & { readonly content: Buffer },
) {
  const { memberId } = sender;
  const sent = hash('sha256', content);
  // Counted before it is drawn, which costs the most, and again under the lock.
  const present = await listEvidenceOf(database.pool, { orderId, memberId });
  const known = present.find(({ uploadSha256 }) => uploadSha256 === sent);
  if (known === undefined) refuseMany(present, sender);
  const drawn = known === undefined ? await drawEvidence(sender.key, content) : undefined;
  return async (client: pg.PoolClient, now: Instant, ids: Ids): Promise<Evidence> =>
    drawn === undefined
      ? (known as Evidence)
      : await keepDrawn(client, drawn, sender, {
          ...{ evidenceId: ids.uuid(now), orderId, memberId, kind },
          ...{ uploadSha256: sent, sentAt: now, deletedAt: null },
        });
}

async function drawEvidence(sender: string, content: Buffer) {
  const drawn = await drawAnew(sender, content, LIMITS);
  if ('wrong' in drawn) throw fieldError('picture', drawn.wrong);
  return drawn;
}

/** Keeps a picture, unless the same one is there, which it then answers. Throws `too-many`. */
async function keepDrawn(
  client: pg.PoolClient,
  { webp: picture, width, height }: Drawn,
  sender: Sender,
  about: Omit<Evidence, keyof Drawn | 'bytes' | 'sha256'>,
): Promise<Evidence> {
  await lockEvidenceOf(client, sender.key);
  const before = await listEvidenceOf(client, about);
  const sha256 = hash('sha256', picture);
  const same = before.find((one) => one.sha256 === sha256);
  if (same !== undefined) return same;
  refuseMany(before, sender);
  const evidence = { ...about, width, height, bytes: picture.length, sha256 };
  await insertEvidence(client, evidence, { picture, number: before.length + 1 });
  return evidence;
}

function refuseMany(before: readonly Evidence[], { most }: Sender): void {
  if (before.length < most) return;
  throw new Refused(
    'too-many',
    `${most} pictures of an order are enough. Tell an operator if there is more.`,
  );
}

/**
 * The picture of an order for the member who handed it in, as WebP. Throws `not-found`, also where
 * it is deleted.
 */
export async function openOwnEvidence(
  { database }: Pick<ServiceDeps, 'database'>,
  { orderId, evidenceId, memberId }: Pick<Evidence, 'orderId' | 'evidenceId' | 'memberId'>,
): Promise<Buffer> {
  const one = await findEvidence(database.pool, evidenceId);
  return pictureOf(one?.memberId === memberId ? one : undefined, orderId);
}

/**
 * The picture for an operator: who opens it and when stands in the audit log before they see it.
 * Throws as above.
 */
export function openEvidence(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  caller: Caller,
  { orderId, evidenceId }: Pick<Evidence, 'orderId' | 'evidenceId'>,
): Promise<Buffer> {
  const open = async (client: pg.PoolClient) => {
    const one = await findEvidence(client, evidenceId);
    const result = pictureOf(one, orderId);
    const detail = { evidenceId, sha256: one?.sha256 ?? null };
    return { result, action: 'evidence.open' as const, target: orderId, detail };
  };
  return recordedWrite(deps, caller, open, null);
}

function pictureOf(one: Awaited<ReturnType<typeof findEvidence>>, orderId: string): Buffer {
  const { picture } = found(one?.orderId === orderId ? one : undefined, 'Picture');
  if (picture === null) throw new Refused('not-found', 'This picture has been deleted.');
  return picture;
}

/**
 * Deletes pictures `evidenceDays` after they were handed in, a slice of them; answers whether there
 * may be more. What is known of them stays.
 */
export async function deleteOldPictures({
  database: { pool },
  clock,
}: Pick<ServiceDeps, 'database' | 'clock'>): Promise<boolean> {
  const now = clock.now();
  const { evidenceDays } = await readPlatformSettings(pool);
  const before = now - evidenceDays * DAY_MS;
  return (await deletePicturesBefore(pool, before, { now, limit: SLICE })) === SLICE;
}
