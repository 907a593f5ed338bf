import type { Change, OwnChange, OwnChangeKind } from '@munshi/api';
import type { Notice } from '@munshi/core';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../clock.ts';
import type { ClockCheck } from '../clock-check.ts';
import type { OperatorToken } from '../config.ts';
import type { Database } from '../database/db.ts';
import type { Mailing } from '../mail.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { SignInGuard } from '../sign-in/guard.ts';
import type { Vault } from '../vault.ts';

/** What the routes of every subject are given of the platform; made once in app.ts. */
export interface PlatformDeps {
  readonly clock: Clock;
  readonly clockCheck: ClockCheck;
  readonly database: Database;
  readonly vault: Vault;
  readonly outbound: Outbound;
  /** Undefined where no mail is set up. */
  readonly mail: Mailing | undefined;
  /** Where merchants’ people write to with questions. */
  readonly supportEmail: string | undefined;
  readonly log: FastifyBaseLogger;
  /** Base of payment page links; known once the server listens. */
  readonly pageOrigin: () => string;
  readonly trustedProxies: readonly string[];
  /** Cookies only over HTTPS: wherever browsers do not come from this machine alone. */
  readonly secureCookies: boolean;
  /**
   * The path of PUBLIC_URL, which a proxy strips: addresses for browsers begin with it. Empty,
   * or with a slash at its beginning alone.
   */
  readonly pathPrefix: string;
  readonly signInGuard: SignInGuard;
  /** Script tokens given at start, each an operator of its own (development). */
  readonly operatorTokens: readonly OperatorToken[];
  /** The token of `/metrics`; undefined: open in development, off in production. */
  readonly metricsToken: string | undefined;
  readonly production: boolean;
  /** The instance is a sandbox. */
  readonly sandbox: boolean;
  /**
   * Who of the demo lets visitors in, with the embedded Postgres and outside of production; asked
   * when somebody wants in.
   */
  readonly demoSignIns: (() => DemoSignIns | undefined) | undefined;
  /** The merchant's of the demo, which the documentation of a sandbox shows. */
  readonly demoKeys: (() => DemoKeys | undefined) | undefined;
  /** Notifies open screens of what was committed, here or in another process. */
  readonly notices: NoticeBoard;
  /** In development: called with the callback URL of every new order, for the log. */
  readonly noteCallback: ((callbackUrl: string) => void) | undefined;
  /** Has a background job run at once: `waiting-withdrawals`, `withdrawn-members`, `webhooks`. */
  readonly wake: (job: string) => void;
  /** Moves a sandbox clock and runs what becomes due on the way; undefined for a real clock. */
  readonly advanceClock: ((seconds: number) => Promise<void>) | undefined;
}

interface SignInOf {
  readonly username: string;
  readonly password: string;
}
export interface DemoKeys {
  readonly apiKey: string;
  readonly signingSecret: string;
}
export interface DemoSignIns {
  readonly operator: SignInOf;
  readonly member: SignInOf;
  /** Undefined in a demo of a version without the portal. */
  readonly portal: SignInOf | undefined;
}

export interface NoticeBoard {
  /** Notifies `listener` of this member until the answered function is called. */
  subscribe(memberId: string, listener: NoticeListener): () => void;
  /**
   * Calls `changed` when a command has changed this order, here or in another process, or may have,
   * until the answered function is called.
   */
  subscribeToOrder(orderId: string, changed: () => void): () => void;
  /** Notifies `listener` of changes until the answered function is called. */
  subscribeToChanges(operatorId: string, listener: ChangeListener): () => void;
  /** The same of one merchant, for one of its people. */
  subscribeToMerchant(
    who: { readonly merchantId: string; readonly portalUserId: string },
    listener: OwnListener,
  ): () => void;
  /**
   * Calls `changed` when there may be another delivery of this merchant, until the answered function
   * is called.
   */
  subscribeToDeliveries(merchantId: string, changed: () => void): () => void;
  /** Something of these merchants has changed. */
  ownChanged(changes: Iterable<OwnChange>): void;
  /** Something has changed that operators may have on their screens. */
  changed(changes: Iterable<Change>): void;
  /**
   * A session of this member, operator or portal user has ended, or they were suspended: their
   * streams in every process look at once whether theirs has.
   */
  sessionsEnded(id: string): void;
}

interface StreamListener {
  /** Something may have been lost. */
  missed(): void;
  /** The session may have ended. */
  checkSession(): void;
}

export interface NoticeListener extends StreamListener {
  notice(notice: Notice): void;
}

export interface OwnListener extends StreamListener {
  changed(kind: OwnChangeKind): void;
}

export interface ChangeListener extends StreamListener {
  changed(change: Change): void;
}
