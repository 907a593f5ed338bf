import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

/** What a receiver answered, or why it did not. */
export type Answer = { readonly ms: number } & (
  | { readonly status: number }
  | { readonly error: string }
);

/** The service waits as long for a status (webhooks.md#when-it-does-not-arrive). */
export const ANSWER_MS_MAX = 5_000;
/** Between two pieces of a body. */
const PAUSE_MS = 250;

export interface Webhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body comes in so many pieces, with pauses between them. */
  readonly pieces?: number;
  readonly timeoutMs?: number;
}

/** Sends a webhook on a connection of its own, byte for byte. Follows no redirect. */
export async function post(
  url: URL,
  { headers, body, pieces = 1, timeoutMs = ANSWER_MS_MAX }: Webhook,
): Promise<Answer> {
  const bytes = Buffer.from(body);
  const request = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    agent: false,
    headers: {
      ...headers,
      Accept: '*/*',
      'User-Agent': 'Munshi-Webhooks/1',
      'Content-Length': bytes.length,
    },
  });
  let begun = performance.now();
  const took = () => Math.round(performance.now() - begun);
  const answered = new Promise<Answer>((resolve) => {
    request.once('response', ({ statusCode = 0 }) => {
      resolve({ ms: took(), status: statusCode });
      request.destroy();
    });
    request.on('error', (error: NodeJS.ErrnoException) =>
      // Of several addresses that refuse, the message is empty.
      resolve({ ms: took(), error: error.message || String(error.code) }),
    );
  });
  const step = Math.ceil(bytes.length / pieces);
  for (let at = 0; at < bytes.length && !request.destroyed; at += step) {
    if (at > 0) await pause(PAUSE_MS);
    request.write(bytes.subarray(at, at + step));
  }
  request.end();
  begun = performance.now();
  const late = setTimeout(
    () => request.destroy(new Error(`none within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const answer = await answered;
  clearTimeout(late);
  return answer;
}

/** A URL as one types it: `localhost:8000/hook` too. Throws when it is none. */
export const readUrl = (text: string): URL =>
  new URL(/^https?:\/\//.test(text) ? text : `http://${text}`);

export const describeAnswer = (answer: Answer): string =>
  'status' in answer ? `${answer.status} in ${answer.ms} ms` : `no answer: ${answer.error}`;
