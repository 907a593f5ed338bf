import type { Client, Dispatcher } from 'undici';
import { readingTime, whenOver } from '../observe/event-loop.ts';
import { type AddressRules, readDestination } from './address.ts';
import { type ConnectorOptions, RefusedError } from './connect.ts';
import { createConnections } from './connections.ts';
import { whyItFailed } from './failure.ts';

/** What is posted. The bytes are sent as they are. */
export interface Outgoing {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * How an attempt went: a 2xx, another answer, no answer in time, no time of this process to read
 * one, an address that is not sent to, or a broken connection.
 */
export const SEND_OUTCOMES = [
  'acknowledged',
  'answered',
  'timeout',
  'stalled',
  'refused',
  'failed',
] as const;
export type SendOutcome = (typeof SEND_OUTCOMES)[number];

export interface SendResult {
  readonly outcome: SendOutcome;
  readonly responseStatus: number | null;
  /** Why it failed, for operators and merchants; null when it succeeded. */
  readonly error: string | null;
  /** The first KB of the answer as text; null when there was none. */
  readonly answer: string | null;
  /** Until the status line, or until it failed. */
  readonly durationMs: number;
}

export interface Sender {
  /** Makes one attempt. Never throws; resolves when the answer is read or cut off. */
  send(outgoing: Outgoing): Promise<SendResult>;
  close(): Promise<void>;
}

export interface SenderOptions extends ConnectorOptions {
  /** From the start of the attempt to the status line, in time that this process reads. */
  readonly timeoutMs?: number;
  /** The whole attempt, however little this process reads meanwhile: its claim must still hold. */
  readonly stalledMs?: number;
}

const TIMEOUT_MS = 5_000;
export const STALLED_MS = 30_000;
/** For the body after the status line. All but its beginning is ignored. */
const BODY_MS = 2_000;
const BODY_BYTES_MAX = 64 * 1024;
const ANSWER_BYTES = 1_024;
/** Parsed URLs that are kept. */
const TARGETS_MAX = 10_000;

type Target =
  | {
      readonly ok: true;
      readonly origin: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly reason: string };

function readTarget(text: string, rules: AddressRules): Target {
  const destination = readDestination(text, rules);
  if (!destination.ok) return destination;
  const { url } = destination;
  return {
    ok: true,
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    headers: loginOf(url),
  };
}

/** Credentials of a URL, as the Basic scheme sends them (RFC 7617): in UTF-8. */
function loginOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const login = percentDecoded(`${username}:${password}`).toString('base64');
  return { authorization: `Basic ${login}` };
}

/** A percent sign without two digits stays: decodeURIComponent would throw. */
const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

/**
 * Posts webhooks: no redirects, no decompression, certificates checked, and only to the addresses
 * that createConnector allows.
 */
export function createSender({
  timeoutMs = TIMEOUT_MS,
  stalledMs = STALLED_MS,
  ...connectorOptions
}: SenderOptions): Sender {
  const connections = createConnections(connectorOptions);
  /** Parsed URLs. Their hosts are resolved again for every connection. */
  const targets = new Map<string, Target>();

  function targetOf(url: string): Target {
    let target = targets.get(url);
    if (target === undefined) {
      target = readTarget(url, connectorOptions);
      if (targets.size >= TARGETS_MAX) targets.clear();
      targets.set(url, target);
    }
    return target;
  }

  return {
    send({ url, headers, body }) {
      const target = targetOf(url);
      if (!target.ok)
        return Promise.resolve({
          outcome: 'refused',
          responseStatus: null,
          error: target.reason,
          answer: null,
          durationMs: 0,
        });
      const { origin, path } = target;
      const connection = connections.take(origin);
      const allHeaders = { ...target.headers, ...headers };
      const request = { origin, path, method: 'POST', headers: allHeaders, body } as const;
      return attempt(connection.client, request, { timeoutMs, stalledMs }, (reusable) =>
        (reusable ? connections.keep : connections.drop)(connection, origin),
      );
    },
    close: connections.close,
  };
}

/** One request on its own connection. `release` says whether that may be used again. */
function attempt(
  client: Client,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, stalledMs }: Required<Pick<SenderOptions, 'timeoutMs' | 'stalledMs'>>,
  release: (reusable: boolean) => void,
): Promise<SendResult> {
  return new Promise((resolve) => {
    const started = performance.now();
    const startedReading = readingTime();
    let status: number | null = null;
    let statusMs = 0;
    let bodyEndsAt = 0;
    let bytes = 0;
    const beginning: Buffer[] = [];
    let over = false;
    const elapsed = () => Math.round(performance.now() - started);
    const limitMs = () =>
      (status === null ? startedReading + timeoutMs : bodyEndsAt) - readingTime();
    /**
     * One timer for both limits: nearly every attempt ends before it fires, and setting one costs as
     * much as signing.
     */
    const cancelTimer = whenOver(
      () => Math.min(limitMs(), stalledMs - elapsed()),
      () => end(false, limitMs() > 0 ? STALLED : noAnswerWithin(timeoutMs)),
      Math.min(timeoutMs, BODY_MS),
    );

    const end = (reusable: boolean, failure?: Pick<SendResult, 'outcome' | 'error'>) => {
      if (over) return;
      over = true;
      cancelTimer();
      release(reusable);
      if (status === null) {
        const { outcome, error } = failure ?? { outcome: 'failed', error: 'No answer came.' };
        resolve({ outcome, responseStatus: null, error, answer: null, durationMs: elapsed() });
        return;
      }
      const acknowledged = status >= 200 && status <= 299;
      resolve({
        outcome: acknowledged ? 'acknowledged' : 'answered',
        responseStatus: status,
        error: acknowledged ? null : `The receiver answered ${status}.`,
        answer: printable(Buffer.concat(beginning)),
        durationMs: statusMs,
      });
    };

    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        if (statusCode < 200 || over) return; // an interim response
        status = statusCode;
        statusMs = elapsed();
        bodyEndsAt = readingTime() + BODY_MS;
      },
      onResponseData(_controller, chunk) {
        if (over) return;
        // Copied: a view would keep the whole chunk in memory.
        if (bytes < ANSWER_BYTES)
          beginning.push(Buffer.from(chunk.subarray(0, ANSWER_BYTES - bytes)));
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX) end(false);
      },
      onResponseEnd: () => end(true),
      onResponseError: (_controller, error) => end(false, failureOf(error)),
    });
  });
}

const STALLED = {
  outcome: 'stalled',
  error: 'The service was too busy to wait for an answer.',
} as const;

const noAnswerWithin = (timeoutMs: number) =>
  ({ outcome: 'timeout', error: `No answer within ${timeoutMs / 1000} seconds.` }) as const;

function failureOf(error: Error): Pick<SendResult, 'outcome' | 'error'> {
  if (error instanceof RefusedError) return { outcome: 'refused', error: error.message };
  return { outcome: 'failed', error: whyItFailed(error) };
}

/** Text that a page may show and a database may hold. */
function printable(bytes: Buffer): string | null {
  if (bytes.length === 0) return null;
  const text = new TextDecoder().decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');
}
