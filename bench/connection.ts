import { connect, type Socket } from 'node:net';

/** A whole request, head and body, in ASCII. */
export type WireRequest = string;

export interface Answer {
  readonly status: number;
  readonly head: string;
  /** Read as Latin-1, which is enough to search it for ASCII. */
  readonly body: string;
}

interface RequestParts {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Writes a request. The body must be ASCII. */
export function wireRequest({ method, path, headers = {}, body }: RequestParts): WireRequest {
  let head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  return body === undefined
    ? `${head}\r\n`
    : `${head}content-length: ${body.length}\r\n\r\n${body}`;
}

/** Anything that opens connections: a server's address. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

export const addressOf = (url: string): Address => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
};

/**
 * One HTTP/1.1 connection that carries one request at a time. The load generator shares the cores
 * with what it measures. A request costs about a third of what undici takes.
 */
export class Connection {
  readonly #address: Address;
  #socket: Socket | undefined;
  #received = '';
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined;

  constructor(address: Address) {
    this.#address = address;
  }

  /** Sends a request and resolves with its answer. Rejects when the connection ends before. */
  send(request: WireRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#open().write(request, 'latin1');
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket;
    this.#received = '';
    const socket = connect({ ...this.#address, noDelay: true });
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
    this.#socket = socket;
    return socket;
  }

  #fail(error: Error) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(error);
  }

  #receive(chunk: Buffer) {
    this.#received += chunk.toString('latin1');
    const text = this.#received;
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const body = readBody(text, headEnd);
    if (body === undefined) return;
    this.#received = '';
    if (/\r\nconnection: close/i.test(text.slice(0, headEnd))) this.#socket?.destroy();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve({ status: Number(text.slice(9, 12)), head: text.slice(0, headEnd), body });
  }
}

/**
 * The whole body, undefined while a part is missing. Nothing follows it, because requests are not
 * pipelined.
 */
function readBody(text: string, headEnd: number): string | undefined {
  const start = headEnd + 4;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd));
  if (length !== null)
    return text.length >= start + Number(length[1]) ? text.slice(start) : undefined;
  if (/\r\ntransfer-encoding: chunked/i.test(text.slice(0, headEnd)))
    return text.endsWith('0\r\n\r\n') ? joinChunks(text.slice(start)) : undefined;
  return '';
}

function joinChunks(text: string): string {
  let joined = '';
  for (let at = 0; ; ) {
    const lineEnd = text.indexOf('\r\n', at);
    const length = Number.parseInt(text.slice(at, lineEnd), 16);
    if (!(length > 0)) return joined;
    joined += text.slice(lineEnd + 2, lineEnd + 2 + length);
    at = lineEnd + 2 + length + 2;
  }
}
