import {
  CHANGE_KINDS,
  type Change,
  type ChangeKind,
  type OwnChange,
  type OwnChangeKind,
} from '@munshi/api';
import { isSent } from '@munshi/core';
import type { EngineOptions } from './engine.ts';

/** How long changes are gathered: the shortest time between two messages to a screen. */
const GATHER_MS = 250;
/** Ids of one kind per message; more become one change without an id. */
const IDS_MAX = 20;

/**
 * Gathers changes, so that a busy minute sends operators' screens no more than a quiet one: at most
 * 20 of each kind four times a second (decision 23). `publish` is given at most 120.
 */
export function gatherChanges(publish: (changes: readonly Change[]) => void) {
  let gathered = new Map<ChangeKind, Set<string> | null>();

  function flush() {
    const changes = CHANGE_KINDS.flatMap((kind): readonly Change[] => {
      const ids = gathered.get(kind);
      if (ids === undefined) return [];
      return (ids === null ? [null] : [...ids]).map((id) => ({ kind, id }) as Change);
    });
    gathered = new Map();
    publish(changes);
  }

  function add({ kind, id }: Change) {
    const ids = gathered.get(kind);
    if (ids === null) return;
    if (id === null || (ids !== undefined && ids.size >= IDS_MAX && !ids.has(id)))
      gathered.set(kind, null);
    else gathered.set(kind, (ids ?? new Set()).add(id));
  }

  return (changes: Iterable<Change>): void => {
    const wasEmpty = gathered.size === 0;
    for (const change of changes) add(change);
    if (wasEmpty && gathered.size > 0) setTimeout(flush, GATHER_MS).unref();
  };
}

type Written = Parameters<NonNullable<EngineOptions['onWritten']>>[0];

/** What a batch has changed, as operators' screens name it. */
export function* changesOf(writes: Written): Iterable<Change> {
  for (const { orderId } of writes.created) yield { kind: 'order', id: orderId };
  for (const { orderId } of writes.orders) yield { kind: 'order', id: orderId };
  for (const { orderId } of writes.notes) yield { kind: 'order', id: orderId };
  for (const { memberId } of writes.members) yield { kind: 'member', id: memberId };
  if (writes.adjustments.length > 0) yield { kind: 'approval', id: null };
  for (const { deliveryId } of writes.deliveries.filter(isSent))
    yield { kind: 'delivery', id: deliveryId };
}

/** The same for the people of each merchant. */
export function* ownChangesOf(writes: Written): Iterable<OwnChange> {
  for (const { merchantId } of writes.created) yield { merchantId, kind: 'order' };
  for (const { merchantId } of writes.orders) yield { merchantId, kind: 'order' };
  for (const { merchantId } of writes.deliveries) yield { merchantId, kind: 'delivery' };
  for (const { merchantId } of writes.wallets) yield { merchantId, kind: 'wallet' };
}

/** Of merchants at a time; where more have changed, everybody looks. */
const MERCHANTS_MAX = 80;

/** What has changed of merchants; null: of too many to name them. */
export type OwnChanges =
  | readonly (readonly [merchantId: string, kinds: readonly OwnChangeKind[]])[]
  | null;

/** Gathers what changes of merchants in the same way. */
export function gatherOwnChanges(publish: (changes: OwnChanges) => void) {
  let gathered = new Map<string, Set<OwnChangeKind>>();

  function flush() {
    const changes = [...gathered].map(([merchantId, kinds]) => [merchantId, [...kinds]] as const);
    gathered = new Map();
    publish(changes.length > MERCHANTS_MAX ? null : changes);
  }

  return (changes: Iterable<OwnChange>): void => {
    const wasEmpty = gathered.size === 0;
    for (const { merchantId, kind } of changes) {
      const kinds = gathered.get(merchantId);
      if (kinds !== undefined) kinds.add(kind);
      else if (gathered.size <= MERCHANTS_MAX) gathered.set(merchantId, new Set([kind]));
    }
    if (wasEmpty && gathered.size > 0) setTimeout(flush, GATHER_MS).unref();
  };
}
