import type { Change, OwnChange } from '@munshi/api';
import type { Engine } from '../engine/engine.ts';
import type { Ids } from '../engine/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/db.ts';
import type { Mailing } from '../platform/mail.ts';
import type { Vault } from '../platform/vault.ts';

/** What services are given; each names the part that it needs. */
export interface ServiceDeps {
  readonly clock: Clock;
  readonly database: Database;
  readonly engine: Engine;
  readonly ids: Ids;
  readonly vault: Vault;
  /** Base of links to the service, once it listens. */
  readonly pageOrigin: () => string;
  /** Undefined where no mail is set up. */
  readonly mail: Mailing | undefined;
  readonly log: { error(detail: object, message: string): void };
  readonly notices: {
    /** Their open screens, in every process, check whether the session has ended. */
    sessionsEnded(memberOrOperatorId: string): void;
    /** Operators' open screens look again. */
    changed(changes: Iterable<Change>): void;
    /** The open screens of merchants' people look again. */
    ownChanged(changes: Iterable<OwnChange>): void;
  };
}
