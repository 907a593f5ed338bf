import type { Endpoint } from '@munshi/api';
import type { Outcome, RequestOf } from '@munshi/web';
import type { Database } from './outbox/indexed-db.ts';
import type { Order } from './work/orders.ts';

/** How a window of the app, or its worker, asks the service in the name of who is signed in. */
export interface Reach {
  /** What the phone keeps. */
  readonly database: Database;
  /** The member signed in, as far as is known. */
  memberId(): string | undefined;
  /** Undefined: the service cannot be reached. */
  read<E extends Endpoint>(endpoint: E, request: RequestOf<E>): Promise<Outcome<E> | undefined>;
  /** The same with the token of the sign-in; undefined also where it is not that of `by`. */
  write<E extends Endpoint>(
    endpoint: E,
    request: RequestOf<E>,
    by?: string,
  ): Promise<Outcome<E> | undefined>;
  /** The service's time, as well as it is known. */
  now(): number;
  /**
   * Asks the service for its time if it was out of reach since the last answer. False: it still is.
   */
  learnTime(): Promise<boolean>;
  /** The service cannot be reached. */
  forgetTime(): void;
  /** An answer shows an order as it is now. */
  learnOrder(order: Order): void;
}
