import {
  type Client,
  ConnectionError,
  type Delivery,
  type EventPage,
  ServiceError,
  webhooks,
} from '../../sdk/src/index.ts';
import { type Answer, describeAnswer, post } from './post.ts';

export interface ListenOptions {
  readonly signingSecret: string;
  /** Where each event is sent on to. */
  readonly forwardTo?: URL | undefined;
  /** From the oldest event that is kept, not from now on. */
  readonly all: boolean;
  /** One line of JSON for each event. */
  readonly json: boolean;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

type Print = (line: string) => void;

/** The fields of an event that are printed; a test has few of them. */
interface Shown {
  readonly eventType?: string;
  readonly orderReference?: string;
  readonly merchantOrderRef?: string | null;
  readonly status?: string;
  readonly reason?: string;
}

const WAIT_SECONDS = 25;

/**
 * Pulls the feed of events, verifies and prints each, and forwards it as the service would send it.
 * Neither a tunnel nor a callback URL is needed. Goes on where it was after lost connections;
 * throws when the first answer is none.
 */
export async function listen(client: Client, options: ListenOptions, print: Print): Promise<void> {
  const { forwardTo, all, json, signal } = options;
  const first = await client.eventPage({ after: all ? undefined : 'now' });
  if (!json)
    print(
      `Listening.${forwardTo === undefined ? '' : ` Events are forwarded to ${forwardTo.href}.`} Ctrl+C ends it.`,
    );
  for (let page: EventPage = first; ; page = await nextPage(client, page.next, options, print)) {
    for (const delivery of page.data) {
      if (signal?.aborted) return;
      await show(delivery, options, print);
    }
    if (signal?.aborted) return;
  }
}

async function nextPage(
  client: Client,
  after: string,
  { json, signal }: ListenOptions,
  print: Print,
): Promise<EventPage> {
  for (let first = true; ; first = false) {
    try {
      return await client.eventPage({ after, wait: WAIT_SECONDS, signal });
    } catch (error) {
      if (signal?.aborted) return { data: [], next: after };
      if (!(error instanceof ConnectionError || error instanceof ServiceError)) throw error;
      if (first && !json) print(`${error.message}; trying again`);
    }
  }
}

async function show(
  delivery: Delivery,
  { signingSecret, forwardTo, json }: ListenOptions,
  print: Print,
) {
  const event = JSON.parse(delivery.body) as Shown;
  const verified = isVerified(delivery, signingSecret);
  if (!json) {
    print(`${new Date().toISOString()} ${describe(event)}: ${verified ? MATCHES : MISMATCH}`);
    if (forwardTo === undefined) print(`   ${delivery.body}`);
  }
  const answer = forwardTo && (await post(forwardTo, delivery));
  if (json) print(asLine(delivery, verified, answer));
  else if (answer) print(`   → ${describeAnswer(answer)}`);
}

const MATCHES = 'the signature matches';
const MISMATCH = 'THE SIGNATURE DOES NOT MATCH MUNSHI_SIGNING_SECRET, which may be of another key';

const asLine = (delivery: Delivery, verified: boolean, answer: Answer | undefined) =>
  JSON.stringify({ ...delivery, verified, ...(answer && { answer }) });

function isVerified({ body, headers }: Delivery, secret: string): boolean {
  try {
    webhooks.verify(body, headers, secret);
    return true;
  } catch {
    return false;
  }
}

function describe({ eventType, orderReference, merchantOrderRef, status, reason }: Shown): string {
  if (orderReference === undefined) return String(eventType);
  const yours = merchantOrderRef ? ` (${merchantOrderRef})` : '';
  const why = reason ? `, "${reason}"` : '';
  return `${eventType} ${orderReference}${yours} ${status}${why}`;
}
