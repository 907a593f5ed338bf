import { randomUUID } from 'node:crypto';
import {
  type AlertChannel,
  type AlertStep,
  alertSteps,
  formatMoney,
  type Instant,
  payableAmount,
  pushAgainAt,
} from '@munshi/core';
import { insertAudit } from '../writes/audit-log.store.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { auditEntry } from '../writes/write.ts';
import { sendByChannel } from './channels.service.ts';
import { readChannels, type StoredChannel } from './channels.store.ts';
import { hasMissed, noteStop } from './missed.store.ts';
import { type PushDeps, push } from './push.service.ts';
import { listSubscriptions, type PushSubscription } from './push.store.ts';
import {
  type AlertNeeds,
  type AlertOutcome,
  beginAlerts,
  claimAlerts,
  type DueAlert,
  readAlertNeeds,
  recordAlert,
} from './rounds.store.ts';
import { alertOf } from './service.ts';

/**
 * Alerts members who have not seen an order: by push at once, then by the channels of the operators
 * (member-app.md#alerts). Orders are found by their deadlines, so that nothing is written with an
 * order.
 */

export interface AlertDeps extends PushDeps, Pick<ServiceDeps, 'engine' | 'ids' | 'vault'> {
  readonly log: { warn(detail: object, message: string): void };
}

export interface AlertRounds {
  /** One round; answers whether there may be more to do at once. */
  run(): Promise<boolean>;
  /** What was begun has ended. */
  settle(): Promise<void>;
}

const CLAIMED_AT_ONCE = 200;
/** More are left for the next second: each may hold a connection for every phone of its member. */
const GOING_ON_MAX = 1_000;
/** An attempt takes 5 seconds at most; if its process dies, the next one takes over the alert. */
const CLAIM_MS = 30_000;
/** A transaction that began before a round may commit after it. */
const OVERLAP_MS = 10_000;
/** Rounds come every second. After a longer gap members had no alerts, or could not see them. */
const GAP_MS = 15_000;
/** The clocks of processes differ. */
const AHEAD_MS = 5_000;

interface Round {
  readonly now: Instant;
  /** Since when rounds have come without a gap. */
  readonly since: Instant;
  readonly needs: AlertNeeds;
  readonly channels: readonly StoredChannel[];
}

export function createAlertRounds(deps: AlertDeps): AlertRounds {
  const { clock, database, log } = deps;
  const { pool } = database;
  const goingOn = new Set<Promise<void>>();
  let lastRun: Instant | undefined;
  let lastWindows: readonly number[] = [];
  let gapless: { readonly since: Instant; lastAt: number } | undefined;

  /** By the time that passes: a clock that is set forward is no gap. */
  function gaplessSince(now: Instant): Instant {
    const at = performance.now();
    if (gapless === undefined || at - gapless.lastAt > GAP_MS) gapless = { since: now, lastAt: at };
    gapless.lastAt = at;
    return gapless.since;
  }

  async function begin(now: Instant, needs: AlertNeeds) {
    const everybody = needs.hasChannels || needs.missedAlertsMax !== null;
    // Deadlines set before a change of the windows are by those before.
    const windows = [...new Set([...needs.windows, ...lastWindows])];
    // The first round looks at all that still waits.
    const since = (lastRun ?? now - 1_000 * Math.max(...windows)) - OVERLAP_MS;
    if (everybody || needs.hasPhones)
      await beginAlerts(pool, { windows, since, until: now + AHEAD_MS, everybody });
    lastRun = now;
    lastWindows = needs.windows;
  }

  return {
    async run() {
      const now = clock.now();
      const needs = await readAlertNeeds(pool);
      await begin(now, needs);
      const since = gaplessSince(now);
      const limit = Math.min(CLAIMED_AT_ONCE, GOING_ON_MAX - goingOn.size);
      const alerts = limit > 0 ? await claimAlerts(pool, now, now + CLAIM_MS, limit) : [];
      if (alerts.length === 0) return false;
      const round = { now, since, needs, channels: await readChannels(pool) };
      const memberIds = [...new Set(alerts.map(({ memberId }) => memberId))];
      const phones = await listSubscriptions(pool, memberIds, now);
      for (const alert of alerts) {
        const theirs = phones.filter(({ memberId }) => memberId === alert.memberId);
        const steps = goOn(deps, round, alert, theirs)
          .catch((error) => log.warn({ err: error, orderId: alert.orderId }, 'an alert failed'))
          .finally(() => goingOn.delete(steps));
        goingOn.add(steps);
      }
      return alerts.length === limit;
    },
    async settle() {
      while (goingOn.size > 0) await Promise.all(goingOn);
    },
  };
}

/** Takes the steps of an alert that are due. */
async function goOn(
  deps: AlertDeps,
  { now, since, needs, channels }: Round,
  alert: DueAlert,
  phones: readonly PushSubscription[],
): Promise<void> {
  const { pool } = deps.database;
  const calls = alertOf(alert.order);
  if (calls === undefined || calls.memberId !== alert.memberId) {
    await recordAlert(pool, alert, { nextAt: null });
    return;
  }
  const rules = {
    channels: channels.map(({ position, afterSeconds }) => ({
      position,
      afterMs: afterSeconds * 1000,
    })),
    countsMissedSince: needs.missedAlertsMax === null ? null : since,
  };
  const { due, nextAt } = alertSteps(alert.alertedAt, doneOf(alert), rules, now);
  const outcomes = await Promise.all(due.map((step) => take(deps, step, alert, phones, channels)));
  const { pushAgain = false, ...outcome }: Taken = Object.assign({}, ...outcomes);
  const missed = await recordAlert(pool, alert, {
    ...outcome,
    nextAt: pushAgain ? pushAgainAt(alert.alertedAt, nextAt, now) : nextAt,
  });
  if (missed && due.includes('missed') && needs.missedAlertsMax !== null)
    await stopWhoMisses(deps, alert.memberId, needs.missedAlertsMax);
}

function doneOf({ pushedAt, secondAt, thirdAt, missedAt }: DueAlert): Set<AlertStep> {
  const done = new Set<AlertStep>();
  if (pushedAt !== null) done.add('push');
  if (secondAt !== null) done.add('second');
  if (thirdAt !== null) done.add('third');
  if (missedAt !== null) done.add('missed');
  return done;
}

/** What became of some steps. */
interface Taken extends Omit<AlertOutcome, 'nextAt'> {
  /** No push service took it, but one may when asked again. */
  readonly pushAgain?: boolean;
}

async function take(
  deps: AlertDeps,
  step: AlertStep,
  alert: DueAlert,
  phones: readonly PushSubscription[],
  channels: readonly StoredChannel[],
): Promise<Taken> {
  if (step === 'push') return pushTo(deps, alert, phones);
  if (step === 'missed') return { missedAt: deps.clock.now() };
  return sendBy(deps, step, alert, channels);
}

async function pushTo(
  deps: AlertDeps,
  { orderId, kind, order }: DueAlert,
  phones: readonly PushSubscription[],
): Promise<Taken> {
  const { currency, dueAt } = order;
  const payload = { orderId, kind, amount: payableAmount(order), currency };
  const pushed = await Promise.all(phones.map((phone) => push(deps, phone, payload, dueAt)));
  if (pushed.some(({ error }) => error === null)) return { pushedAt: deps.clock.now() };
  return { pushAgain: pushed.some(({ mayRetry }) => mayRetry) };
}

async function sendBy(
  deps: AlertDeps,
  position: AlertChannel,
  alert: DueAlert,
  channels: readonly StoredChannel[],
): Promise<Taken> {
  const channel = channels.find((one) => one.position === position);
  if (channel === undefined) return {};
  const { orderId, kind, memberId, memberName, username, order } = alert;
  const { outcome, error } = await sendByChannel(deps, channel, {
    orderId,
    kind,
    amount: formatMoney(payableAmount(order)),
    currency: order.currency,
    member: memberName,
    username,
    memberId,
  });
  const failure = outcome === 'acknowledged' ? null : (error ?? 'No answer came.');
  return { [position]: { at: deps.clock.now(), error: failure } };
}

/** Takes a member offline who has missed so many alerts in a row, and says so to both sides. */
async function stopWhoMisses(deps: AlertDeps, memberId: string, max: number): Promise<void> {
  const { clock, database, engine, ids } = deps;
  if (!(await hasMissed(database.pool, memberId, max))) return;
  const now = clock.now();
  await noteStop(database.pool, memberId, now, max);
  const actor = { kind: 'clock', id: null } as const;
  const commandId = randomUUID();
  await engine.submit({ kind: 'update-member', commandId, memberId, online: false, actor });
  const entry = {
    action: 'member.missed-alerts' as const,
    target: memberId,
    detail: { missed: max },
  };
  await insertAudit(database.pool, auditEntry(ids, actor, entry, now));
}
