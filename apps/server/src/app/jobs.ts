import { oldReplays } from '../api-keys/job.ts';
import { auditChain, auditCheck } from '../audit/job.ts';
import type { BooksChecks } from '../books/service.ts';
import type { Engine } from '../engine/engine.ts';
import { oldPictures } from '../evidence/job.ts';
import type { AlertRounds } from '../member-alerts/rounds.service.ts';
import { withdrawnMembers } from '../members/job.ts';
import type { MerchantAlertRounds } from '../merchant-alerts/rounds.service.ts';
import { oldRefusals } from '../merchants/job.ts';
import { endedClaims } from '../orders/claims.job.ts';
import { deadlines } from '../orders/deadlines.job.ts';
import { type Offered, waitingWithdrawals } from '../orders/waiting-withdrawals.job.ts';
import type { JobDeps as Common, Job } from '../platform/jobs/worker.ts';
import type { Retention } from '../retention/service.ts';
import { playedMembers } from '../sandbox/job.ts';
import { unusedReceivers } from '../webhooks/job.ts';
import { oldRequestKeys } from '../writes/job.ts';

interface JobDeps extends Common {
  readonly engine: Engine;
  readonly alerts: Pick<AlertRounds, 'run'>;
  readonly merchantAlerts: MerchantAlertRounds;
  /** Sends the mails of alerts that are due; answers whether there may be more. */
  readonly sendAlertMails: () => Promise<boolean>;
  readonly books: Pick<BooksChecks, 'run'>;
  readonly retention: Pick<Retention, 'run'> | undefined;
  readonly sandbox: boolean;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** The jobs, and the way to offer waiting withdrawals to members who have new capacity. */
export interface Jobs {
  readonly all: readonly Job[];
  /** The next run of `waiting-withdrawals` tries these members. */
  offer(members: readonly Offered[]): void;
}

const retention = ({ run }: Pick<Retention, 'run'>): Job => ({
  name: 'retention',
  everyMs: 10 * MINUTE_MS,
  irrevocable: true,
  run,
});

/** All work that is done by time, through the engine. */
export function createJobs(deps: JobDeps): Jobs {
  const { offer, job } = waitingWithdrawals(deps);
  return {
    offer,
    all: [
      deadlines(deps),
      job,
      withdrawnMembers(deps),
      { name: 'alerts', everyMs: SECOND_MS, run: deps.alerts.run },
      { name: 'merchant-alerts', everyMs: 15 * SECOND_MS, run: deps.merchantAlerts.run },
      { name: 'alert-mails', everyMs: 5 * SECOND_MS, run: deps.sendAlertMails },
      auditChain(deps),
      auditCheck(deps),
      { name: 'books-check', everyMs: MINUTE_MS, run: deps.books.run },
      oldReplays(deps),
      oldRequestKeys(deps),
      endedClaims(deps),
      oldPictures(deps),
      oldRefusals(deps),
      unusedReceivers(deps),
      ...(deps.retention === undefined ? [] : [retention(deps.retention)]),
      ...(deps.sandbox ? [playedMembers(deps)] : []),
    ],
  };
}
