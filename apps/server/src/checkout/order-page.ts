import { needOf, wasShownWhereToPay } from '@munshi/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readLateClaims } from '../late-claims/service.ts';
import { countOpenings } from '../late-claims/store.ts';
import { type Added, NOTHING_ADDED, readAdded } from '../orders/added.store.ts';
import type { PageOrder } from '../orders/page.store.ts';
import { sendRefusal } from '../platform/http/errors.ts';
import { addressesFor, sendHtml, sendInvalidLink, wantsJson } from './answers.ts';
import type { PageDeps } from './deps.ts';
import { latePage } from './late-page.ts';
import { isShown, type Link, readLink } from './link.ts';
import { orderPage } from './page.ts';
import type { Returned } from './returned.ts';
import { LANGUAGES } from './texts/languages.ts';
import type { Screen } from './view.ts';
import { type LateClaims, NOTHING_CLAIMED, pageState, viewOf } from './view.ts';

export type PageRequest = FastifyRequest<{
  Params: { orderId: string };
  Querystring: Record<string, unknown>;
}>;

/** The order behind a link, and whether its customer may still see it. */
export interface Found {
  readonly link: Link;
  readonly order: PageOrder;
  readonly isShown: boolean;
  /** Of an order that is open to claims. */
  readonly late: LateClaims;
  /** Of a payment that its customer has confirmed. */
  readonly added: Added;
}

/** The order behind the link of a request; undefined where the link is not valid. */
export async function findOrder(
  deps: Pick<PageDeps, 'clock' | 'database' | 'readers' | 'vault'>,
  request: PageRequest,
): Promise<Found | undefined> {
  const link = readLink(request.params.orderId, request.query, deps.vault);
  if (link === undefined) return undefined;
  const order = await deps.readers.pageOrder(link.orderId);
  if (order === undefined) return undefined;
  const now = deps.clock.now();
  const late = (await readLateClaims(deps, order, now)) ?? (await readLeft(deps, order));
  return { link, order, isShown: isShown(order, now), late, added: await readAddedTo(deps, order) };
}

async function readAddedTo(
  { database: { pool } }: Pick<PageDeps, 'database'>,
  { orderType, orderId, sentAt }: PageOrder,
): Promise<Added> {
  if (orderType !== 'Deposit' || sentAt === null) return NOTHING_ADDED;
  return (await readAdded(pool, [orderId])).get(orderId) ?? NOTHING_ADDED;
}

/** Whether a method that was left has shown where to pay: the present one has not yet. */
async function readLeft(
  { database: { pool } }: Pick<PageDeps, 'database'>,
  order: PageOrder,
): Promise<LateClaims> {
  if (viewOf(order) !== 'payer' || order.methodSwitches === 0) return NOTHING_CLAIMED;
  const openings = await countOpenings(pool, order);
  return { ...NOTHING_CLAIMED, wasShown: wasShownWhereToPay(order, openings) };
}

type StateDeps = Pick<PageDeps, 'clock' | 'confirmTimes' | 'engine' | 'sandbox'>;

export function stateOf(
  { clock, confirmTimes, engine, sandbox }: StateDeps,
  { order, late, added }: Pick<Found, 'order' | 'late' | 'added'>,
  request: PageRequest,
) {
  const { language } = addressesFor(request, undefined);
  const { currency, memberId } = order;
  return pageState(
    order,
    clock.now(),
    language,
    { late, added },
    {
      usualSeconds: (method) => confirmTimes.usualSeconds(method, currency),
      isServed: (method) => engine.couldBeTaken(needOf({ ...order, walletType: method }), memberId),
      sandbox,
    },
  );
}

/** The order's page: as it stands, or with what was entered and is returned. */
export function sendPage(
  deps: StateDeps,
  request: PageRequest,
  reply: FastifyReply,
  status: number,
  found: Found,
  returned?: Returned,
  screen?: Screen,
) {
  return sendHtml(
    request,
    reply,
    status,
    orderPage(
      stateOf(deps, found, request),
      addressesFor(request, found.link, found.order.currency),
      screen,
      returned,
    ),
  );
}

/** A refused form, where the customer sent it: on the order's page, or on the expired link. */
export function sendBack(
  deps: StateDeps,
  request: PageRequest,
  reply: FastifyReply,
  status: 400 | 409,
  found: Found,
  returned: Returned,
) {
  return found.isShown
    ? sendPage(deps, request, reply, status, found, returned)
    : sendLate(request, reply, status, found, returned);
}

/** Leads from a form's address to the page's own. */
export function sendToPage(request: PageRequest, reply: FastifyReply, link: Link) {
  const { page, query } = addressesFor(request, link);
  return reply.redirect(`${page}?${query}`, 303);
}

/** The order is not shown any more, or the link is not valid. */
export function sendGone(
  request: PageRequest,
  reply: FastifyReply,
  found: Found | undefined,
  { json = wantsJson(request), kept }: { readonly json?: boolean; readonly kept?: Returned } = {},
) {
  if (found === undefined) return sendInvalidLink(request, reply, json);
  return json
    ? sendRefusal(reply, { code: 'link-expired', message: LANGUAGES.en.texts.linkExpired })
    : sendLate(request, reply, 410, found, kept);
}

function sendLate(
  request: PageRequest,
  reply: FastifyReply,
  status: 400 | 409 | 410,
  { link, order, late }: Found,
  returned?: Returned,
) {
  const at = addressesFor(request, link, order.currency);
  return sendHtml(request, reply, status, latePage(at, order, late, returned));
}
