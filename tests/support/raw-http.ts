import { connect, type Socket } from 'node:net';

/** An HTTP answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case; a header sent twice has two entries. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  header(name: string): string | undefined;
  readonly body: Buffer;
  readonly text: string;
}

interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  /** Sent as given, in this order; strings byte by byte (Latin-1), so that any byte can be sent. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | string;
  /**
   * `length` adds Content-Length, `chunked` sends chunks of `pieceBytes`, `none` adds no header
   * about the body.
   */
  readonly framing?: 'length' | 'chunked' | 'none';
  /** Sends the body in pieces of this size, each after the one before has left this process. */
  readonly pieceBytes?: number;
}

/**
 * Sends one request byte for byte and reads one answer. Rejects when the connection ends before a
 * whole answer came.
 */
export async function rawRequest(url: string, request: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const body = typeof request.body === 'string' ? Buffer.from(request.body) : request.body;
  const framing = request.framing ?? (body === undefined ? 'none' : 'length');
  const headers = [['Host', `${hostname}:${port}`], ...(request.headers ?? [])] as [
    string,
    string,
  ][];
  if (framing === 'length') headers.push(['Content-Length', String(body?.length ?? 0)]);
  if (framing === 'chunked') headers.push(['Transfer-Encoding', 'chunked']);
  const head = `${request.method ?? 'GET'} ${request.path ?? '/'} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

  const pieces: Buffer[] = [Buffer.from(head, 'latin1')];
  const size = request.pieceBytes ?? 16_384;
  for (let at = 0; body !== undefined && at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    pieces.push(
      framing === 'chunked'
        ? Buffer.concat([
            Buffer.from(`${piece.length.toString(16)}\r\n`),
            piece,
            Buffer.from('\r\n'),
          ])
        : piece,
    );
  }
  if (framing === 'chunked') pieces.push(Buffer.from('0\r\n\r\n'));
  return sendBytes(url, pieces, request.method === 'HEAD');
}

/**
 * Sends these bytes on a connection of their own and reads the first answer, a `100 Continue`
 * before it left out.
 */
export async function sendBytes(
  url: string,
  pieces: readonly (Buffer | string)[],
  headOnly = false,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const answer = readAnswer(socket, headOnly);
  answer.catch(() => {}); // awaited below, after the writing
  for (const piece of pieces) {
    if (socket.destroyed) break;
    await new Promise<void>((resolve) =>
      socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece, () =>
        setImmediate(resolve),
      ),
    );
  }
  try {
    return await answer;
  } finally {
    socket.destroy();
  }
}

function readAnswer(socket: Socket, headOnly: boolean): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const look = (ended: boolean) => {
      const answer = parseAnswer(received, headOnly, ended);
      if (answer !== undefined) resolve(answer);
      return answer !== undefined;
    };
    const end = (error?: Error) => {
      if (!look(true))
        reject(
          error ??
            new Error(`the connection ended after: ${received.toString('latin1').slice(0, 200)}`),
        );
    };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      look(false);
    });
    socket.on('error', end);
    socket.on('close', () => end());
  });
}

/** The first final answer in these bytes; undefined while it is not whole. */
function parseAnswer(bytes: Buffer, headOnly: boolean, ended: boolean): RawAnswer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const rest = bytes.subarray(headEnd + 4);
  if (status === 100) return parseAnswer(rest, headOnly, ended);

  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const header = (name: string) => headers.find(([own]) => own === name)?.[1];
  const answer = (body: Buffer): RawAnswer => ({
    status,
    headers,
    header,
    body,
    text: body.toString('utf8'),
  });
  if (headOnly) return answer(Buffer.alloc(0));
  const length = header('content-length');
  if (length !== undefined)
    return rest.length >= Number(length) ? answer(rest.subarray(0, Number(length))) : undefined;
  if (header('transfer-encoding') === 'chunked') {
    const body = joinChunks(rest);
    return body && answer(body);
  }
  return ended ? answer(rest) : undefined;
}

function joinChunks(bytes: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return undefined;
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, next - 2));
    at = next;
  }
}
