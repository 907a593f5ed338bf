import type { WebhookEvent } from './types.ts';

/** An event as it would be sent to a callback URL. */
export interface Delivery {
  readonly deliveryId: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The exact text that is signed. */
  readonly body: string;
}

/** A part of the feed, in the order of the outcomes. */
export interface EventPage {
  readonly data: readonly Delivery[];
  /** The cursor behind them. */
  readonly next: string;
}

export interface EventPageOptions {
  /** A cursor; `'now'` for what comes from now on. Without it: from the oldest that is kept. */
  readonly after?: string | undefined;
  /** At most so many events, 1 to 100; 100 by default. */
  readonly limit?: number;
  /** Seconds for which the service holds its answer until something comes, at most 25. */
  readonly wait?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EventsOptions {
  /** A cursor; `'now'` for what comes from now on. Without it: from the oldest that is kept. */
  readonly after?: string | undefined;
  /** Seconds for which an answer is held, 25 by default. 0 ends the loop after the last event. */
  readonly wait?: number;
  /** Ends the loop. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReceivedEvent extends Delivery {
  readonly event: WebhookEvent;
  /**
   * Store it once the event is handled, and begin there the next time: nothing is missed, and the
   * last page may come again. Undefined as long as that is the beginning of the feed.
   */
  readonly next: string | undefined;
}

const WAIT_SECONDS = 25;

/** The deliveries of the feed, page after page, each with the cursor to store. */
export async function* follow(
  readPage: (options: EventPageOptions) => Promise<EventPage>,
  { after, wait = WAIT_SECONDS, signal }: EventsOptions,
): AsyncGenerator<Delivery & Pick<ReceivedEvent, 'next'>, void> {
  for (let cursor = after; !signal?.aborted; ) {
    const page = await readPage({ after: cursor, wait: cursor === 'now' ? 0 : wait, signal }).catch(
      (error: unknown) => {
        if (signal?.aborted) return undefined;
        throw error;
      },
    );
    if (page === undefined) return;
    const last = page.data.at(-1);
    for (const delivery of page.data) {
      if (signal?.aborted) return;
      // The service names no cursor inside a page.
      yield { ...delivery, next: delivery === last ? page.next : cursor };
    }
    if (wait === 0 && last === undefined) return;
    cursor = page.next;
  }
}
