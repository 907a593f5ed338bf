import { ADVANCE_CLOCK, CHANGE_SETTINGS, READ_CLOCK, READ_SETTINGS } from '@munshi/api';
import { operatorWrite } from '../door/door.ts';
import { findNextDue } from '../engine/rows/due-orders.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { NoWorkerError } from '../platform/clock.ts';
import { bind } from '../platform/http/bind.ts';
import { moneyOrZero, readBody } from '../platform/http/values.ts';
import { Refused } from '../platform/refusals.ts';
import { insertAudit } from '../writes/audit-log.store.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { auditEntry } from '../writes/write.ts';
import { changeSettings, explainSettings, settingsWait } from './service.ts';

/** Settings of the platform. */
export function settingRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, READ_SETTINGS, async () => ({
    data: await readPlatformSettings(deps.database.pool),
  }));
}

/** Their change may wait for a second operator. */
export const settingWrites = (deps: Deps) => ({
  CHANGE_SETTINGS: operatorWrite(deps, CHANGE_SETTINGS, {
    read: (asked) => readBody(asked, { adjustmentApprovalLimit: moneyOrZero }),
    needsTwo: settingsWait,
    explain: explainSettings,
    work: (client, change) => changeSettings(client, change, deps),
  }),
});

const NO_WORKER =
  'No process with the role worker has answered within 5 seconds, and time is its work; start one with ROLES=worker or without ROLES.';

/** The sandbox clock. */
export function clockRoutes(
  face: OperatorFace,
  { advanceClock, clock, database, ids }: Deps,
): void {
  bind(face, READ_CLOCK, async () => ({
    data: {
      now: clock.now(),
      sandbox: clock.sandbox,
      nextDueAt: clock.sandbox ? await findNextDue(database.pool, clock.now()) : null,
    },
  }));

  const advance = async ({ body }: { body: { seconds: number } }, operator: Operator) => {
    if (advanceClock === undefined)
      throw new Refused(
        'wrong-state',
        'The clock is real: it is advanced with CLOCK=sandbox only.',
      );
    // The advance is many transactions; who asked for it is recorded before the first.
    const detail = { seconds: body.seconds };
    const entry = { action: 'clock.advance' as const, target: 'clock', detail };
    await insertAudit(database.pool, auditEntry(ids, operator.actor, entry, clock.now()));
    await advanceClock(body.seconds).catch((error: Error) => {
      throw error instanceof NoWorkerError ? new Refused('wrong-state', NO_WORKER) : error;
    });
    return { data: { now: clock.now() } };
  };
  bind(face, ADVANCE_CLOCK, advance, { config: { unhurried: true } as never });
}
