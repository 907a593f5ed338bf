import {
  type DeliveryId,
  type EventSubject,
  eventSubjectOf,
  type Instant,
  type RetrySchedule,
} from '@munshi/core';
import type { Clock } from '../platform/clock.ts';
import { type createAttempt, type Outcome, resultOf } from './attempt.ts';
import type { Claimer, Ready } from './claim.ts';
import type { Recorder } from './record.ts';
import type { Shares } from './shares.ts';

/** An attempt that has been made and recorded. */
export interface Attempted {
  readonly merchantId: string;
  readonly subject: EventSubject;
  readonly deliveryId: DeliveryId;
  readonly host: string;
  readonly number: number;
  readonly outcome: Outcome;
  readonly error: string | null;
  readonly endedAt: Instant;
  /** From the outcome's commit to the start of this attempt. */
  readonly sinceCreationMs: number;
  readonly durationMs: number;
  readonly abandoned: boolean;
}

/** Makes and records the attempts that were claimed, each when there is room for it. */
export interface AttemptRunner {
  /** Begins one now or in its turn. Answers false where there is no room for it. */
  begin(claim: Ready): boolean;
  /** Attempts and releases that have not ended. */
  readonly underWay: ReadonlySet<Promise<void>>;
}

export interface AttemptRunnerOptions {
  readonly shares: Shares<Ready>;
  readonly claimer: Claimer;
  readonly recorder: Recorder;
  readonly send: ReturnType<typeof createAttempt>;
  readonly clock: Clock;
  readonly log: { warn(detail: object, message: string): void };
  readonly stopping: AbortSignal;
  readonly schedule: RetrySchedule;
  /** An attempt at this host has its answer. `released`: claims were given back. */
  readonly onAnswered: (host: string, released: boolean) => void;
  /** An attempt has made way for a newer event of its order. */
  readonly onOvertaken: () => void;
  /** Called with each attempt after it was recorded, and waited for. */
  readonly onAttempted: ((attempted: Attempted) => Promise<void>) | undefined;
}

/**
 * A claim that has waited longer for its turn is released: its order may have a newer event, or its
 * merchant a new signing key.
 */
const AHEAD_MS = 250;

export function createAttemptRunner({
  shares,
  claimer,
  recorder,
  send,
  clock,
  log,
  stopping,
  schedule,
  onAnswered,
  onOvertaken,
  onAttempted,
}: AttemptRunnerOptions): AttemptRunner {
  const underWay = new Set<Promise<void>>();

  function follow(work: Promise<void>) {
    const running = work
      .catch((error) =>
        log.warn(
          { err: error },
          'webhook attempts could not be made or recorded; they are made again',
        ),
      )
      .finally(() => underWay.delete(running));
    underWay.add(running);
  }

  async function attempt(claim: Ready) {
    const attempted = await sendAndRecord(claim).finally(() => shares.release(claim));
    if (attempted !== undefined) await onAttempted?.(attempted);
  }

  /** Returns undefined if the claim was lost meanwhile. */
  async function sendAndRecord(claim: Ready): Promise<Attempted | undefined> {
    const startedAt = clock.now();
    const since = performance.now();
    const made = await send(claim, startedAt).finally(() => {
      shares.answered(claim, performance.now() - since);
      beginNext(claim.host);
    });
    const result = resultOf(claim, made, startedAt, schedule);
    const state = await recorder.record(result, since);
    if (state === undefined) return undefined;
    if (state === 'overtaken') onOvertaken(); // the newer event has waited for this attempt
    return {
      merchantId: claim.merchantId,
      subject: eventSubjectOf(claim),
      deliveryId: claim.deliveryId,
      host: claim.host,
      number: result.number,
      outcome: made.outcome,
      error: made.error,
      endedAt: startedAt + made.durationMs,
      sinceCreationMs: startedAt - claim.createdAt,
      durationMs: made.durationMs,
      abandoned: state === 'abandoned',
    };
  }

  /** An attempt has its answer: the next ones of its destination begin. */
  function beginNext(host: string) {
    const now = performance.now();
    const isLate = ({ since }: Ready) => stopping.aborted || now - since > AHEAD_MS;
    const { begun, late } = shares.advance(host, isLate);
    for (const claim of begun) follow(attempt(claim));
    if (late.length > 0) follow(claimer.release(late));
    onAnswered(host, late.length > 0);
  }

  return {
    underWay,
    begin(claim) {
      const reserved = shares.reserve(claim);
      if (reserved === 'now') follow(attempt(claim));
      return reserved !== 'no';
    },
  };
}
