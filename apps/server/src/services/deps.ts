import type { Change, OwnChange } from '@munshi/api';
import type { Clock } from '../clock.ts';
import type { MailServer } from '../config/mail.ts';
import type { Engine } from '../engine/engine.ts';
import type { Ids } from '../engine/ids.ts';
import type { Database } from '../storage/db.ts';
import type { Vault } from '../vault.ts';
import type { MailOutcome } from './mail.ts';

/** What came of a call to another server. */
export interface PostResult {
  readonly outcome: 'acknowledged' | 'answered' | 'timeout' | 'stalled' | 'refused' | 'failed';
  readonly responseStatus: number | null;
  /** Why it failed; null where it was answered with 2xx. */
  readonly error: string | null;
  /** The first KB of the answer. */
  readonly answer: string | null;
  readonly durationMs: number;
}

/** The way to other servers, to public addresses alone: the connector of the webhooks. */
export interface Outbound {
  /** Never throws. */
  post(call: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
  }): Promise<PostResult>;
  /** In development: without TLS too. */
  readonly allowsHttp: boolean;
  /** Who sends, as push services want to know it: an https: or mailto: URL. */
  readonly contact: string;
}

/** The way to people's mailboxes. */
export interface Mailing {
  readonly server: MailServer;
  onMail(outcome: MailOutcome): void;
}

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
