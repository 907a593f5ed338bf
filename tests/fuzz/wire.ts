import { connect, type Socket } from 'node:net';
import { PATIENCE_MS } from '../support/patience.ts';

/** An answer as it came; `body` without chunk framing. */
export interface WireAnswer {
  readonly status: number;
  /** By lower-case name; repeated headers joined by a comma and a space. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** What came back for the bytes of one case. */
export interface Exchange {
  readonly answers: readonly WireAnswer[];
  /** `silent`: nothing more came within the patience. `odd`: bytes that are no HTTP answer. */
  readonly end: 'answered' | 'closed' | 'silent' | 'odd';
  readonly ms: number;
}

/** Sends cases over one connection that is kept, and over a connection of their own where asked. */
export class Lane {
  readonly #host: string;
  readonly #port: number;
  #kept: Socket | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  /** One well-framed request: the first whole answer. */
  async ask(bytes: Buffer, headOnly: boolean): Promise<Exchange> {
    const kept = this.#kept !== undefined && !this.#kept.destroyed && this.#kept.writable;
    const socket = kept ? (this.#kept as Socket) : this.#connect();
    const exchange = await run(socket, bytes, { headOnly, untilClosed: false });
    // A kept connection may have been closed while it was idle; the case was not looked at then.
    if (kept && exchange.answers.length === 0 && exchange.end === 'closed') {
      this.#kept = undefined;
      return this.ask(bytes, headOnly);
    }
    const [answer] = exchange.answers;
    const closes =
      exchange.end !== 'answered' ||
      headOnly ||
      answer?.headers.get('connection') === 'close' ||
      isStream(answer);
    if (closes) socket.destroy();
    this.#kept = closes ? undefined : socket;
    return exchange;
  }

  /**
   * Any bytes, after which this side says that it is done: every answer until the connection ends.
   */
  async askUntilClosed(bytes: Buffer, headOnly: boolean): Promise<Exchange> {
    const socket = this.#connect();
    try {
      return await run(socket, bytes, { headOnly, untilClosed: true });
    } finally {
      socket.destroy();
    }
  }

  close(): void {
    this.#kept?.destroy();
  }

  #connect(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    socket.on('error', () => {}); // seen as its close
    return socket;
  }
}

const isStream = (answer: WireAnswer | undefined) =>
  answer?.headers.get('content-type')?.startsWith('text/event-stream') === true;

interface Rules {
  readonly headOnly: boolean;
  readonly untilClosed: boolean;
}

function run(socket: Socket, bytes: Buffer, { headOnly, untilClosed }: Rules): Promise<Exchange> {
  return new Promise((resolve) => {
    const started = performance.now();
    const answers: WireAnswer[] = [];
    let rest: Buffer = Buffer.alloc(0);
    const finish = (end: Exchange['end']) => {
      clearTimeout(patience);
      socket.off('data', onData).off('close', onClose);
      resolve({ answers, end, ms: performance.now() - started });
    };
    const onData = (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (;;) {
        const parsed = parseAnswer(rest, headOnly);
        if (parsed === undefined) return;
        if (parsed === 'odd') return finish('odd');
        rest = parsed.rest;
        if (parsed.answer.status < 200) continue;
        answers.push(parsed.answer);
        if (!untilClosed || isStream(parsed.answer) || headOnly) return finish('answered');
      }
    };
    const onClose = () => {
      const last = parseAnswer(rest, headOnly, true);
      if (last !== undefined && last !== 'odd') answers.push(last.answer);
      finish('closed');
    };
    const patience = setTimeout(() => finish('silent'), PATIENCE_MS);
    socket.on('data', onData).once('close', onClose);
    socket.write(bytes);
    if (untilClosed) socket.end();
  });
}

/**
 * The first answer in these bytes with what follows it; undefined while it is not whole. To a client
 * of HTTP/1.0 an answer without a length goes on until the connection is closed.
 */
function parseAnswer(
  bytes: Buffer,
  headOnly: boolean,
  closed = false,
): { readonly answer: WireAnswer; readonly rest: Buffer } | 'odd' | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return bytes.length > 65_536 ? 'odd' : undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1];
  if (status === undefined) return 'odd';
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) return 'odd';
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
  }
  const whole = (body: Buffer, end: number) => ({
    answer: { status: Number(status), headers, body },
    rest: bytes.subarray(end),
  });
  const start = headEnd + 4;
  const stream = headers.get('content-type')?.startsWith('text/event-stream');
  if (headOnly || stream || Number(status) < 200 || status === '204' || status === '304')
    return whole(Buffer.alloc(0), start);
  const length = headers.get('content-length');
  if (length !== undefined) {
    const end = start + Number(length);
    return bytes.length < end ? undefined : whole(bytes.subarray(start, end), end);
  }
  if (headers.get('transfer-encoding') !== 'chunked') {
    if (headers.get('connection') !== 'close') return 'odd';
    return closed ? whole(bytes.subarray(start), bytes.length) : undefined;
  }
  return joinChunks(bytes, start, whole);
}

function joinChunks<T>(
  bytes: Buffer,
  start: number,
  whole: (body: Buffer, end: number) => T,
): T | 'odd' | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) return 'odd';
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return whole(Buffer.concat(parts), next);
    parts.push(bytes.subarray(lineEnd + 2, next - 2));
    at = next;
  }
}
