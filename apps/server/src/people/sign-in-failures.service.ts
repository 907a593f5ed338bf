import type { Ids } from '../engine/ids.ts';
import { BoundedMap } from '../platform/bounded-map.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/db.ts';
import type { PersonKind } from '../platform/sign-in/person-kinds.ts';
import { insertAudit } from '../writes/audit-log.store.ts';

/**
 * Failed sign-ins, recorded briefly in the audit log: a guesser must not be able to
 * fill it (security.md#sign-ins-and-sessions).
 */
export interface SignInFailures {
  /** `principalId`: null for a name that nobody has. */
  note(failure: {
    readonly face: PersonKind;
    readonly principalId: string | null;
    readonly address: string;
  }): void;
  /** Writes what was noted since the last time. */
  write(): Promise<void>;
  /** Writes the rest and ends. */
  stop(): Promise<void>;
}

interface Noted {
  readonly face: string;
  readonly principalId: string | null;
  readonly since: number;
  readonly addresses: Set<string>;
  failures: number;
}

const WRITE_EVERY_MS = 5 * 60_000;
/** Entries of one writing; the accounts beyond them are one entry together. */
const ENTRIES_MAX = 20;
const ADDRESSES_MAX = 5;

export function createSignInFailures({
  database,
  clock,
  ids,
  onError,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onError: (error: Error) => void;
}): SignInFailures {
  const noted = new BoundedMap<string, Noted>(10_000);
  const timer = setInterval(() => void write(), WRITE_EVERY_MS);
  timer.unref();

  async function write() {
    const all = [...noted.values()].toSorted((one, other) => other.failures - one.failures);
    noted.clear();
    const now = clock.now();
    const record = (target: string, detail: Record<string, string | number>) =>
      insertAudit(database.pool, {
        auditId: ids.uuid(now),
        actor: { kind: 'clock', id: null },
        action: 'session.failed',
        target,
        detail,
        at: now,
      });
    try {
      for (const { face, principalId, failures, since, addresses } of all.slice(0, ENTRIES_MAX)) {
        const detail = {
          face,
          failures,
          since: new Date(since).toISOString(),
          addresses: [...addresses].join(', '),
        };
        await record(principalId ?? 'unknown', detail);
      }
      const others = all.slice(ENTRIES_MAX);
      if (others.length > 0)
        await record('others', {
          accounts: others.length,
          failures: others.reduce((sum, { failures }) => sum + failures, 0),
        });
    } catch (error) {
      onError(error as Error);
    }
  }

  return {
    note({ face, principalId, address }) {
      const key = `${face} ${principalId}`;
      const entry = noted.get(key) ?? {
        face,
        principalId,
        since: clock.now(),
        addresses: new Set(),
        failures: 0,
      };
      entry.failures += 1;
      if (entry.addresses.size < ADDRESSES_MAX) entry.addresses.add(address);
      noted.set(key, entry);
    },
    write,
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}
