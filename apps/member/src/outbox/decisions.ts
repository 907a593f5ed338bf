import {
  MEMBER_ADD_EVIDENCE,
  MEMBER_CONFIRM_ORDER,
  MEMBER_READ_ORDER,
  MEMBER_REJECT_ORDER,
  MEMBER_RELEASE_ORDER,
  MEMBER_REPORT_ORDER,
} from '@munshi/api';
import type { RequestOf } from '@munshi/web';
import type { Reach } from '../reach.ts';
import type { Order } from '../work/orders.ts';
import { answerOf } from './answer.ts';
import { changeKept, type Database, indexedDbStore, readKept } from './indexed-db.ts';
import type { Entry, OutboxPort, Sent } from './outbox.ts';
import type { KeptPicture, Picture } from './pictures.ts';

/**
 * What a member does with orders, as it is kept on the phone and sent: by a window of the app, or
 * by its worker while none is open.
 */

const ENDPOINTS = {
  confirm: MEMBER_CONFIRM_ORDER,
  reject: MEMBER_REJECT_ORDER,
  report: MEMBER_REPORT_ORDER,
  release: MEMBER_RELEASE_ORDER,
} as const;
export type Kind = keyof typeof ENDPOINTS;
/**
 * Where each leads, if nothing comes in between. A report leads nowhere: an order that others have
 * put in review does not have what this member knows.
 */
const OUTCOMES: Readonly<Record<Kind, Order['status'] | null>> = {
  confirm: 'Completed',
  reject: 'Rejected',
  report: null,
  release: 'Cancelled',
};

type BodyOf<K extends Kind> = RequestOf<(typeof ENDPOINTS)[K]>['body'];
/** What a member decides, with the request that says so. */
export type Decision = {
  readonly [K in Kind]: { readonly kind: K; readonly body: BodyOf<K> };
}[Kind];
/** The transaction's ID that a member has typed for a withdrawal. */
export const referenceOf = (decision: Decision | undefined): string | undefined =>
  decision?.kind === 'confirm' ? (decision.body?.transactionReference ?? undefined) : undefined;

export interface Kept {
  /** Phones have stored it under this name. */
  readonly deed: Decision;
  /** What is paid of the order, so that an entry can be shown without it. */
  readonly amount: string;
  readonly currency: string;
  /** Handed in once it is sent, and not where it is undone. Absent: none. */
  readonly pictures?: readonly Picture[];
}
export type Waiting = Entry<Kept>;

export const outboxStore = ({ database, memberId }: Pick<Reach, 'database' | 'memberId'>) =>
  indexedDbStore<Kept>(database, memberId, ({ pictures = [] }) => pictures);

/** What the browser's background sync is called by. */
export const SYNC = 'outbox';

type Sender = Pick<
  OutboxPort<Kept>,
  'newId' | 'memberId' | 'now' | 'learnTime' | 'send' | 'isDone' | 'isOpen' | 'alone'
>;

/** How actions get to the service, with the locks that windows and worker of a phone share. */
export function createSender(reach: Reach): Sender {
  async function send({ id, memberId, subject: orderId, action }: Waiting): Promise<Sent> {
    const { kind, body } = action.deed;
    await noteOurs(reach.database, orderId);
    const request = { params: { orderId }, body, idempotencyKey: id } as never;
    const outcome = await reach.write(ENDPOINTS[kind], request, memberId);
    if (outcome === undefined) reach.forgetTime();
    if (outcome?.ok) reach.learnOrder(outcome.answer.data);
    return answerOf(outcome);
  }

  async function isDone({ subject: orderId, action }: Waiting): Promise<boolean | undefined> {
    const outcome = await reach.read(MEMBER_READ_ORDER, { params: { orderId } });
    if (outcome === undefined) return undefined;
    if (!outcome.ok) return outcome.refusal.status === 404 ? false : undefined;
    const order = outcome.answer.data;
    reach.learnOrder(order);
    return !order.handedOver && order.status === OUTCOMES[action.deed.kind];
  }

  return {
    newId: () => crypto.randomUUID(),
    memberId: reach.memberId,
    now: reach.now,
    // A phone that says it has no network asks something harmless first: until that is answered,
    // nothing of an action has left it, and it can be taken back.
    learnTime() {
      if (!navigator.onLine) reach.forgetTime();
      return reach.learnTime();
    },
    send,
    isDone,
    isOpen: async (opening) =>
      ((await navigator.locks.query()).held ?? []).some(({ name }) => name === lockOf(opening)),
    alone: (work) => navigator.locks.request('munshi-member outbox', work),
  };
}

/** Up to 200 KB, over a network of the slowest kind. */
const PICTURE_TIMEOUT_MS = 120_000;

export async function sendPicture(
  { write }: Pick<Reach, 'write'>,
  { id, memberId, orderId, kind, content }: KeptPicture,
): Promise<Sent> {
  const body = { kind, picture: content };
  const request = { params: { orderId }, body, idempotencyKey: id, timeoutMs: PICTURE_TIMEOUT_MS };
  return answerOf(await write(MEMBER_ADD_EVIDENCE, request, memberId));
}

/** Held while a window is open: others see by it whether somebody can still undo. */
export const lockOf = (opening: string): string => `munshi-member ${opening}`;

// ---- Orders that ended by an action of this phone: no notice is needed

const OURS = 'ours';
const OURS_MAX = 100;

const noteOurs = (database: Database, orderId: string): Promise<void> =>
  changeKept<readonly string[]>(database, OURS, (kept = []) =>
    [orderId, ...kept.filter((each) => each !== orderId)].slice(0, OURS_MAX),
  );

/** The service has said no, and somebody has read it: what becomes of the order is up to others. */
export const forgetOurs = (database: Database, orderId: string): Promise<void> =>
  changeKept<readonly string[]>(database, OURS, (kept = []) =>
    kept.filter((each) => each !== orderId),
  );

export const isOurs = async (database: Database, orderId: string): Promise<boolean> =>
  ((await readKept<readonly string[]>(database, OURS)) ?? []).includes(orderId);
