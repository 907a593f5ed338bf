import { LIVE_SCHEDULE, SANDBOX_SCHEDULE } from '@munshi/core';
import type { FastifyBaseLogger } from 'fastify';
import { type BooksSchedule, createBooksChecks } from '../books/service.ts';
import type { Engine } from '../engine/engine.ts';
import type { Ids } from '../engine/ids.ts';
import { readHintsOf } from '../engine/rows/candidates.ts';
import type { PushKeys } from '../member-alerts/push.service.ts';
import { createAlertRounds } from '../member-alerts/rounds.service.ts';
import { sendAlertMails } from '../merchant-alerts/mails.service.ts';
import { createMerchantAlertRounds } from '../merchant-alerts/rounds.service.ts';
import type { Clock } from '../platform/clock.ts';
import type { ClockCheck } from '../platform/clock-check.ts';
import { createJobLocks } from '../platform/database/connection/job-locks.ts';
import type { Database } from '../platform/database/db.ts';
import { startWorker, type Worker } from '../platform/jobs/worker.ts';
import type { Mailing } from '../platform/mail.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import { createResolver } from '../platform/outbound/resolve.ts';
import { createSender, type Sender } from '../platform/outbound/send.ts';
import type { Vault } from '../platform/vault.ts';
import type { Retention } from '../retention/service.ts';
import { type Deliverer, startDeliverer } from '../webhooks/deliver.ts';
import { createHealth } from '../webhooks/health.ts';
import type { Attempted } from '../webhooks/run-attempts.ts';
import { clockAdvancer } from './advance.ts';
import type { CallHandler } from './calls.ts';
import { createJobs } from './jobs.ts';

/** What a process with the role worker does beside answering: jobs by time, and webhooks. */
export interface Background extends CallHandler {
  readonly worker: Worker;
  readonly webhooks: Deliverer;
  /** Moves a sandbox clock and runs what is due on the way. */
  advanceClock(seconds: number): Promise<void>;
  stop(): Promise<void>;
}

interface BackgroundOptions {
  readonly clock: Clock;
  readonly clockCheck: ClockCheck;
  readonly database: Database;
  readonly engine: Engine;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly outbound: Outbound;
  /** Undefined where no mail is set up. */
  readonly mail: Mailing | undefined;
  /** Where the portal is, if that is known. */
  readonly portalUrl: string | undefined;
  /** An alert of this merchant has begun, ended or been sent. */
  readonly onAlert: (merchantId: string) => void;
  readonly pushKeys: () => Promise<PushKeys>;
  readonly log: FastifyBaseLogger;
  readonly booksSchedule: BooksSchedule;
  /** What is removed, and by whom; undefined: nothing. */
  readonly retention: Retention | undefined;
  readonly callbackRules: { readonly allowPrivate: boolean };
  /** Members play themselves, and retries of webhooks are soon. */
  readonly sandbox: boolean;
  readonly sender?: Sender | undefined;
  readonly onAttempted: (attempted: Attempted) => void;
  readonly onRun: (job: string, succeeded: boolean) => void;
}

export function startBackground({
  clock,
  clockCheck,
  database,
  engine,
  ids,
  vault,
  outbound,
  mail,
  portalUrl,
  onAlert,
  pushKeys,
  log,
  booksSchedule,
  retention,
  callbackRules,
  sandbox,
  sender = createSender({ ...callbackRules, resolve: createResolver(callbackRules) }),
  onAttempted,
  onRun,
}: BackgroundOptions): Background {
  const locks = createJobLocks(database);
  const alerts = createAlertRounds({
    clock,
    database,
    engine,
    ids,
    vault,
    outbound,
    pushKeys,
    log,
  });
  const books = createBooksChecks({ database, clock, ids, log, schedule: booksSchedule });
  const jobs = createJobs({
    engine,
    database,
    clock,
    log,
    alerts,
    merchantAlerts: createMerchantAlertRounds({
      database,
      clock,
      ids,
      log,
      onChange: onAlert,
    }),
    sendAlertMails: () =>
      sendAlertMails({ database, clock, mail, log, portalUrl, onChange: onAlert }),
    books,
    retention,
    sandbox,
  });
  const worker = startWorker({ locks, jobs: jobs.all, clockCheck, log, onRun });
  const health = createHealth({ database, ids, log });
  const webhooks = startDeliverer({
    database,
    clock,
    vault,
    sender,
    log,
    schedule: sandbox ? SANDBOX_SCHEDULE : LIVE_SCHEDULE,
    async onAttempted(attempted) {
      onAttempted(attempted);
      // The alerts of versions before are no webhooks: their receiver fails alone.
      if (attempted.subject.kind !== 'alert') await health.note(attempted);
    },
  });

  /**
   * Has waiting withdrawals offered to these members, as they are with all their accounts. Where
   * they cannot be read, the check once a minute is left.
   */
  async function offer(memberIds: readonly string[]) {
    const members = await readHintsOf(database.pool, memberIds).catch(() => undefined);
    if (members === undefined) return;
    jobs.offer(members);
    worker.wake('waiting-withdrawals');
  }

  return {
    worker,
    webhooks,
    onCall({ memberIds, webhooks: written }) {
      if (written) webhooks.wake();
      if (memberIds.length > 0) offer(memberIds);
    },
    onMissed() {
      webhooks.wake();
      worker.runSoon('waiting-withdrawals');
    },
    advanceClock: clockAdvancer({ clock, database, worker, locks, webhooks, alerts }),
    async stop() {
      books.stop();
      retention?.stop();
      await worker.stop();
      await retention?.close();
      await alerts.settle();
      await locks.close();
      await webhooks.stop();
    },
  };
}
