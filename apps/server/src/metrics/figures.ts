import { type Instant, WALLET_TYPES } from '@munshi/core';
import type { Platform } from './platform-figures.store.ts';

/** A metric of the whole platform. */
export interface Figure {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** The values of its labels with their figure; a number where it has none. */
  read(platform: Platform, now: Instant): number | readonly Reading[];
}
type Reading = readonly [labels: readonly string[], value: number];

const STATE = ['type', 'method', 'status'];

/** Seconds since then; 0 for nothing, and for what another clock puts ahead of ours. */
const ageOf = (at: Instant | null, now: Instant) =>
  at === null ? 0 : Math.max(0, now - at) / 1_000;

/** A figure that there is none of yet is left out: an alert on its age does not begin in 1970. */
const timestampOf = (at: Instant | null): number | readonly Reading[] =>
  at === null ? [] : at / 1_000;

export const FIGURES: readonly Figure[] = [
  {
    name: 'munshi_platform_read_timestamp_seconds',
    help: 'When the figures of the platform were read from the database',
    read: (_, now) => now / 1_000,
  },
  {
    name: 'munshi_orders_open',
    help: 'Orders that are not over',
    labels: STATE,
    read: ({ orders }) =>
      orders.map(({ orderType, walletType, status, count }) => [
        [orderType, walletType, status],
        count,
      ]),
  },
  {
    name: 'munshi_orders_open_oldest_seconds',
    help: 'How long ago the first of these orders was created, given to its member or paid',
    labels: STATE,
    read: ({ orders }, now) =>
      orders.map(({ orderType, walletType, status, oldestAt }) => [
        [orderType, walletType, status],
        ageOf(oldestAt, now),
      ]),
  },
  {
    name: 'munshi_deadlines_overdue_seconds',
    help: 'How long ago the first deadline was that nobody has acted on',
    read: ({ overdue }, now) => ageOf(overdue.oldestAt, now),
  },
  {
    name: 'munshi_deadlines_late_orders',
    help: 'Orders more than 65 seconds past their deadline',
    read: ({ late }) => late.count,
  },
  {
    name: 'munshi_members_online',
    help: 'Members who are active and online',
    read: ({ membersOnline }) => membersOnline,
  },
  {
    name: 'munshi_members_able',
    help: 'Members online who serve the method and have room for another order',
    labels: ['method'],
    read: ({ capacity }) =>
      WALLET_TYPES.map((method) => [
        [method],
        capacity.find(({ walletType }) => walletType === method)?.members ?? 0,
      ]),
  },
  {
    name: 'munshi_members_free_orders',
    help: 'Orders that those members have room for',
    labels: ['method'],
    read: ({ capacity }) =>
      WALLET_TYPES.map((method) => [
        [method],
        capacity.find(({ walletType }) => walletType === method)?.orders ?? 0,
      ]),
  },
  {
    name: 'munshi_webhook_waiting_deliveries',
    help: 'Deliveries that wait for their first attempt, or for another one after a failure',
    labels: ['attempt'],
    read: ({ deliveries: { first, retry } }) => [
      [['first'], first],
      [['retry'], retry],
    ],
  },
  {
    name: 'munshi_webhook_oldest_due_seconds',
    help: 'Age of the oldest delivery that is due; retries wait up to a minute',
    read: ({ nextAttemptAt }, now) => ageOf(nextAttemptAt, now),
  },
  {
    name: 'munshi_work_waiting',
    help: 'What waits for operators',
    labels: ['queue'],
    read: ({ queues }) => queues.map(({ queue, count }) => [[queue], count]),
  },
  {
    name: 'munshi_work_oldest_seconds',
    help: 'How long the first of the queue has waited; of aboutToRunOut, since its window ended',
    labels: ['queue'],
    read: ({ queues }, now) => queues.map(({ queue, oldestAt }) => [[queue], ageOf(oldestAt, now)]),
  },
  {
    name: 'munshi_late_claims_open',
    help: 'Customers who say after expiry that they paid, and whom nobody has answered yet',
    read: ({ queues }) => queues.find(({ queue }) => queue === 'lateClaims')?.count ?? 0,
  },
  {
    name: 'munshi_audit_chain_broken',
    help: 'Whether the audit log is not what was written',
    read: ({ audit }) => Number(audit.broken !== null),
  },
  {
    name: 'munshi_audit_chain_checked_timestamp_seconds',
    help: 'When the whole audit log was last checked',
    read: ({ audit }) => timestampOf(audit.checkedAt),
  },
  {
    name: 'munshi_verify_broken_rules',
    help: 'Rules of the books that the latest nightly check has found broken',
    read: ({ books: { latest, finished } }) =>
      latest?.broken.length || (finished === undefined ? [] : finished.broken.length),
  },
  {
    name: 'munshi_verify_finished_timestamp_seconds',
    help: 'When the latest whole check of the books ended',
    read: ({ books: { finished } }) => timestampOf(finished?.finishedAt ?? null),
  },
  {
    name: 'munshi_retention_finished_timestamp_seconds',
    help: 'When all that was to be removed of this was last removed',
    labels: ['kind'],
    read: ({ retention }) => retention.map(({ kind, finishedAt }) => [[kind], finishedAt / 1_000]),
  },
  {
    name: 'munshi_verify_duration_seconds',
    help: 'How long that check took',
    read: ({ books: { finished } }) =>
      finished?.finishedAt ? (finished.finishedAt - finished.startedAt) / 1_000 : [],
  },
];
