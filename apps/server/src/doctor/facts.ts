import type { ClockDifference } from '../platform/database/database-clock.ts';
import type { WebApp } from '../platform/http/web.ts';
import type { Archive, PeopleStanding, Replication, ServerStanding } from './checkup.store.ts';

/** All that the rules look at. What could not be found out says why. */
export interface Facts {
  readonly settings: SettingsFacts;
  readonly database: DatabaseFacts | Unknown;
  /** Each host of a database that has several: whether it lets the service in. */
  readonly hosts: readonly HostFacts[];
  /** The public address as this machine reaches it; undefined if none is set. */
  readonly address: AddressFacts | undefined;
  readonly machine: MachineFacts;
  /** Hosts that webhooks went to lately; none if nothing was sent yet. */
  readonly outbound: readonly HostFacts[];
  /** The server that takes the mail; undefined if none is set up. */
  readonly mail: MailFacts | undefined;
  /** What the nightly check reads in place of the primary; undefined if no setting names it. */
  readonly verify: VerifyFacts | undefined;
}

/** Could not be found out. */
export interface Unknown {
  readonly error: string;
}

export interface SettingsFacts {
  readonly production: boolean;
  readonly sandbox: boolean;
  readonly embedded: boolean;
  readonly publicUrl: string | undefined;
  readonly roles: ReadonlySet<'http' | 'worker'>;
  /** Script tokens that stand in the settings. */
  readonly operatorTokens: number;
  readonly hasMetricsToken: boolean;
  /** Whether every host of the database is this machine. */
  readonly databaseIsLocal: boolean;
  /** Whether the certificate of the database is checked. */
  readonly databaseIsVerified: boolean;
  /** Whether anything is removed after its time. */
  readonly removes: boolean;
  /** Roles of the database whose passwords are among the first that are tried. */
  readonly guessedPasswords: readonly string[];
}

export interface DatabaseFacts {
  readonly server: ServerStanding;
  /** Of the service's role: whether it may change tables, and the tables with wrong rights. */
  readonly mayChangeSchema: boolean;
  readonly wrongGrants: readonly string[];
  /** The role that removes; undefined where no setting names one. */
  readonly retention: RetentionFacts | undefined;
  readonly replication: Replication;
  readonly archive: Archive;
  readonly clock: ClockDifference;
  readonly masterKey: 'known' | 'new' | 'unknown' | 'lacking';
  /** Whether it is of a sandbox; null: no process has started on it yet. */
  readonly sandbox: boolean | null;
  readonly people: PeopleStanding;
  readonly fourEyes: {
    readonly requireSecondOperator: boolean;
    /** Of the two that are needed. */
    readonly approversMissing: number;
    readonly hasLimit: boolean;
    readonly requireOneTimeCode: boolean;
  };
  /** Now, in milliseconds since the epoch. */
  readonly at: number;
}

export interface RetentionFacts {
  readonly role: string;
  /** Why it cannot connect; undefined: it can. */
  readonly error: string | undefined;
  readonly wrongGrants: readonly string[];
}

export interface AddressFacts {
  /** How the address answered `/reach`. */
  readonly answer:
    | Unknown
    | { readonly status: number }
    | {
        readonly peer: string;
        readonly caller: string;
        readonly forwardedFor: string | null;
        /** The forged X-Forwarded-For that was sent, which must not be trusted. */
        readonly claimed: string;
        /** Whether the hop that our proxy saw is a trusted proxy itself. */
        readonly askedFromProxy: boolean;
      };
  /** Of an https address. */
  readonly tls:
    | Unknown
    | { readonly protocol: string; readonly validUntil: number; readonly at: number }
    | undefined;
  /** What the web apps answer there. */
  readonly apps: readonly AppFacts[];
  /** What plain HTTP at the same host does; undefined where it was not asked. */
  readonly plainHttp: 'closed' | 'redirects' | 'answers' | undefined;
}

export interface AppFacts {
  readonly name: WebApp;
  readonly answer:
    | Unknown
    | {
        readonly status: number;
        /** The headers by which browsers protect it, as they arrive; null where there is none. */
        readonly policy: string | null;
        readonly cacheControl: string | null;
      };
}

export interface MachineFacts {
  /** Of the disk that the embedded Postgres, or a database on this machine, is on. */
  readonly disk:
    | { readonly path: string; readonly freeBytes: number; readonly bytes: number }
    | Unknown;
  readonly openFilesMax: number | undefined;
}

export interface HostFacts {
  readonly host: string;
  /** Undefined: a connection was made. */
  readonly error: string | undefined;
}

export interface MailFacts {
  readonly host: string;
  /** Why it cannot be reached, or does not take the password; undefined: all is well. */
  readonly error: string | undefined;
}

export interface VerifyFacts {
  readonly role: string;
  /** Why it cannot be read; undefined: it can. */
  readonly error: string | undefined;
}

export const isUnknown = (fact: object): fact is Unknown => 'error' in fact;
