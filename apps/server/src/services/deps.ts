import type { Clock } from '../clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { Ids } from '../engine/ids.ts';
import type { Database } from '../storage/db.ts';
import type { Vault } from '../vault.ts';

/** What services are given; each names the part that it needs. */
export interface ServiceDeps {
  readonly clock: Clock;
  readonly database: Database;
  readonly engine: Engine;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly log: { error(detail: object, message: string): void };
  readonly notices: {
    /** The member's open screens, in every process, check whether their session has ended. */
    sessionsEnded(memberId: string): void;
  };
}
