import { pace } from '../../support/pace.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { TIMED } from '../../support/promises.ts';
import type { Fleet } from './fleet.ts';

/** A final answer: neither silence nor a 5xx. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: campaigns look into bodies of every shape
  readonly json: any;
}

export interface Request {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends requests as merchants should (merchant-api.md#idempotency): no answer or a 5xx is followed
 * by the same request again.
 */
export interface Client {
  /** Resolves with the final answer. Throws when there is none after `ASKED_MS`. */
  ask(request: Request): Promise<Answer>;
  readonly seen: Seen;
}

/** What became of the tries since the start. */
export interface Seen {
  /** Final answers. */
  answered: number;
  /** The connection was refused: the request was not sent. */
  refused: number;
  /** Sent, and the connection ended without an answer. */
  cut: number;
  /** 503. */
  unavailable: number;
  /** Every other 5xx, as it came. */
  broken: string[];
  /** Nothing came within `LATE_MS`. */
  late: number;
  /** Of which process, for each of these. */
  lateAt: string[];
  /** Of the answers, 503 among them. */
  slowestMs: number;
  /** `performance.now()` of the last final answer. */
  answeredAt: number;
}

/** Every request is answered by then, regardless of the state of the database. */
const LATE_MS = TIMED ? 10_000 : PATIENCE_MS;
/** Longer than any outage that a campaign makes. */
const ASKED_MS = 2 * PATIENCE_MS;

/**
 * `onCut` is called for a request whose connection ended without an answer, before it is sent
 * again.
 */
export function createClient(
  fleet: Pick<Fleet, 'next'>,
  onCut: (request: Request) => Promise<void> = async () => {},
): Client {
  const seen: Seen = {
    answered: 0,
    refused: 0,
    cut: 0,
    unavailable: 0,
    broken: [],
    late: 0,
    lateAt: [],
    slowestMs: 0,
    answeredAt: 0,
  };

  async function once(request: Request): Promise<Answer | undefined> {
    const { method = 'GET', path, headers = {}, body } = request;
    const sent = performance.now();
    const to = fleet.next();
    try {
      const response = await fetch(`${to}${path}`, {
        method,
        headers,
        signal: AbortSignal.timeout(LATE_MS),
        ...(body !== undefined && { body }),
      });
      const text = await response.text();
      seen.slowestMs = Math.max(seen.slowestMs, Math.round(performance.now() - sent));
      if (response.status === 503) seen.unavailable += 1;
      else if (response.status >= 500)
        seen.broken.push(`${method} ${path} ${response.status} ${text}`);
      else
        return {
          status: response.status,
          text,
          json: text.startsWith('{') ? JSON.parse(text) : undefined,
        };
    } catch (error) {
      if ((error as Error).name === 'TimeoutError') {
        seen.late += 1;
        seen.lateAt.push(to);
      } else if (((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED')
        seen.refused += 1;
      else {
        seen.cut += 1;
        await onCut(request);
      }
    }
    return undefined;
  }

  return {
    seen,
    async ask(request) {
      const deadline = performance.now() + ASKED_MS;
      for (let waitMs = 10; performance.now() < deadline; waitMs = Math.min(500, waitMs * 2)) {
        const answer = await once(request);
        if (answer !== undefined) {
          seen.answered += 1;
          seen.answeredAt = performance.now();
          return answer;
        }
        await pace(waitMs); // a client backs off before it tries again
      }
      throw new Error(
        `${request.method ?? 'GET'} ${request.path} was not answered in ${ASKED_MS / 1000} s`,
      );
    },
  };
}
