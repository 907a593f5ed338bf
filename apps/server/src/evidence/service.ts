import { hash } from 'node:crypto';
import {
  EVIDENCE_BYTES_MAX,
  EVIDENCE_PER_MEMBER,
  EVIDENCE_SIDE_MAX,
  EVIDENCE_UPLOAD_BYTES_MAX,
  type EvidenceKind,
  type OrderId,
} from '@munshi/core';
import type pg from 'pg';
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
  listEvidenceOfMember,
  lockEvidenceOf,
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

/**
 * A member hands in a picture about an order that is or was theirs, which the caller has looked at.
 * The same picture again answers the first. Changes neither the order nor any money. Throws
 * FieldErrors where it is no picture, `too-many`, TooManyWaiting and UnavailableError.
 */
export async function addEvidence(
  { database, notices }: Pick<ServiceDeps, 'database' | 'notices'>,
  memberId: string,
  { orderId, kind, picture: text }: HandedIn,
): Promise<Work<Evidence>> {
  const content = bytesOf(text);
  if (content === undefined) throw fieldError('picture', 'must be a data: URL or base64.');
  const sent = hash('sha256', content);
  // Counted before it is drawn, which costs the most, and again under the lock.
  const present = await listEvidenceOfMember(database.pool, { orderId, memberId });
  const known = present.find(({ uploadSha256 }) => uploadSha256 === sent);
  if (known === undefined) refuseMany(present);
  const drawn = known === undefined ? await drawEvidence(memberId, content) : undefined;
  return async (client, now, ids) => {
    const result =
      drawn === undefined
        ? (known as Evidence)
        : await keepDrawn(client, drawn, {
            ...{ evidenceId: ids.uuid(now), orderId, memberId, kind },
            ...{ uploadSha256: sent, sentAt: now, deletedAt: null },
          });
    const detail = { evidenceId: result.evidenceId, kind, sha256: result.sha256 };
    const after = () => notices.changed([{ kind: 'order', id: orderId }]);
    return { result, action: 'evidence.add', target: orderId, detail, after };
  };
}

async function drawEvidence(memberId: string, content: Buffer) {
  const drawn = await drawAnew(memberId, content, LIMITS);
  if ('wrong' in drawn) throw fieldError('picture', drawn.wrong);
  return drawn;
}

/** Keeps a picture, unless the same one is there, which it then answers. Throws `too-many`. */
async function keepDrawn(
  client: pg.PoolClient,
  { webp: picture, width, height }: Drawn,
  about: Omit<Evidence, keyof Drawn | 'bytes' | 'sha256'>,
): Promise<Evidence> {
  await lockEvidenceOf(client, about.memberId);
  const before = await listEvidenceOfMember(client, about);
  const sha256 = hash('sha256', picture);
  const same = before.find((one) => one.sha256 === sha256);
  if (same !== undefined) return same;
  refuseMany(before);
  const evidence = { ...about, width, height, bytes: picture.length, sha256 };
  await insertEvidence(client, evidence, { picture, number: before.length + 1 });
  return evidence;
}

function refuseMany(before: readonly Evidence[]): void {
  if (before.length < EVIDENCE_PER_MEMBER) return;
  throw new Refused(
    'too-many',
    `${EVIDENCE_PER_MEMBER} pictures of an order are enough. Tell an operator if there is more.`,
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
