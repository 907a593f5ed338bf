import { type AlertId, type AlertPlan, type Instant, planAlerts, subjectOf } from '@munshi/core';
import type pg from 'pg';
import { inTransaction } from '../platform/database/db.ts';
import { FIRST_ID } from '../platform/database/first-id.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { isAlertMailed, sendAlert } from './service.ts';
import {
  endAlert,
  holdAlerts,
  insertAlert,
  lockAlertSettings,
  type OngoingAlert,
  readOngoing,
  readWatched,
  type WatchedMerchant,
} from './store.ts';

/**
 * Finds alerts of merchants that begin or end, and writes the messages about them. It reads
 * what orders have left behind: nothing is read or written in their path.
 */

interface Deps extends Pick<ServiceDeps, 'database' | 'clock' | 'ids'> {
  /** Alerts of this merchant have begun or ended. */
  readonly onChange: (merchantId: string) => void;
  readonly log: { warn(detail: object, message: string): void };
}

const SLICE = 100;

export interface MerchantAlertRounds {
  /** Goes on with the next merchants; answers whether there are more in this round. */
  run(): Promise<boolean>;
}

export function createMerchantAlertRounds(deps: Deps): MerchantAlertRounds {
  const { clock, database, log } = deps;
  const { pool } = database;
  let after = FIRST_ID;

  /** Answers the alerts that go on. */
  async function look(watched: WatchedMerchant, open: readonly OngoingAlert[], now: Instant) {
    const plan = planAlerts(watched.settings, watched.facts, open, now);
    if (plan.begin.length + plan.end.length + plan.drop.length > 0) {
      await inTransaction(pool, (client) => change(client, deps, watched, plan, open, now));
      deps.onChange(watched.merchantId);
    }
    return plan.hold;
  }

  return {
    async run() {
      const now = clock.now();
      const slice = await readWatched(pool, after, SLICE);
      const merchantIds = slice.map(({ merchantId }) => merchantId);
      const open = Map.groupBy(await readOngoing(pool, merchantIds), (one) => one.merchantId);
      const held: string[] = [];
      for (const watched of slice) {
        const { merchantId } = watched;
        try {
          const hold = await look(watched, open.get(merchantId) ?? [], now);
          held.push(...hold.map(({ alertId }) => alertId));
        } catch (error) {
          log.warn({ err: error, merchantId }, 'the alerts of a merchant could not be looked at');
        }
      }
      await holdAlerts(pool, held, now);
      const more = slice.length === SLICE;
      after = more ? (merchantIds.at(-1) as string) : FIRST_ID;
      return more;
    },
  };
}

/** Begins and ends alerts, each once: a second process changes nothing. */
async function change(
  client: pg.PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  { merchantId }: WatchedMerchant,
  { begin, end, drop }: AlertPlan,
  open: readonly OngoingAlert[],
  now: Instant,
): Promise<void> {
  const settings = await lockAlertSettings(client, merchantId);
  if (settings === undefined) return;
  const message = { alertEmails: settings.alertEmails, now };
  for (const condition of begin) {
    const alertId = ids.uuid<AlertId>(now);
    const { kind } = condition;
    const alert = { alertId, merchantId, kind, subject: subjectOf(condition), condition, at: now };
    if (!(await insertAlert(client, alert))) continue;
    const isMailed = await isAlertMailed(client, { alertId, merchantId, kind, beganAt: now });
    await sendAlert(client, { ...message, alertId, state: 'begun', isMailed });
  }
  const idsOf = (alerts: AlertPlan['end']) => new Set(alerts.map(({ alertId }) => alertId));
  const [over, dropped] = [idsOf(end), idsOf(drop)];
  for (const alert of open) {
    const { alertId } = alert;
    const isOver = over.has(alertId);
    if (!isOver && !dropped.has(alertId)) continue;
    if (!(await endAlert(client, alertId, now)) || !isOver) continue;
    const isMailed = await isAlertMailed(client, alert);
    await sendAlert(client, { ...message, alertId, state: 'over', isMailed });
  }
}
