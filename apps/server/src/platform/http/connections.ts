import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How connections end: after an answer that came before its request's body, after what is no HTTP,
 * and after a client has said that it sends nothing more.
 */

/** What is read of a body that nobody wants. Many clients send all of it, and read then. */
const REST_BYTES_MAX = 1024 * 1024;
const REST_MS = 2_000;

/** The newest answer of each connection, given or not. */
const newest = new WeakMap<Socket, ServerResponse>();
/** The answer before the newest, where that was not given when the newest request came. */
const before = new WeakMap<ServerResponse, ServerResponse>();
/** Event streams: there is no end to wait for. */
const endless = new WeakSet<ServerResponse>();
/** Connections that wait for their last answer, and those that have had it. */
const ending = new WeakSet<Socket>();
const ended = new WeakSet<Socket>();

/** Call it for every request, before it is answered. */
export function noteAnswer(answer: ServerResponse): void {
  const { socket } = answer.req;
  const previous = newest.get(socket);
  if (previous !== undefined && !previous.writableFinished) {
    before.set(answer, previous);
    before.delete(previous); // one is enough: answers are given in order
  }
  newest.set(socket, answer);
}

/** Call it for an answer that has begun and does not end by itself. */
export function noteEndless(answer: ServerResponse): void {
  const { socket } = answer.req;
  endless.add(answer);
  if (ending.has(socket) || socket.readableEnded) answer.end(); // what ends it came before
}

/**
 * A client that only sends no more (a half-closed connection) gets the answers that it waits for.
 * Event streams end then: for them this is how most clients leave.
 */
export function allowHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true }); // a property of Node's that has no type
  server.on('connection', (socket: Socket) => {
    socket.once('end', () => {
      const answer = newest.get(socket);
      if (answer !== undefined && endless.has(answer)) endWhenAnswered(socket);
    });
  });
}

/** Runs `left` once the client sends no more or is gone, if that is before the answer's end. */
export function onceClientLeft(answer: ServerResponse, left: () => void): void {
  const { socket } = answer.req;
  socket.once('end', left);
  answer.once('close', () => {
    socket.off('end', left);
    left();
  });
}

/** Whether a request's body has come whole. One that was injected without a connection has. */
export const isWhole = ({ complete }: IncomingMessage): boolean => complete !== false;

/**
 * Call it when an answer was given. Where the request's body did not come whole, so much more of it
 * is read that the client comes to read the answer; then the connection is closed. A body that ends
 * before leaves it to later requests.
 */
export function readRest(request: IncomingMessage): void {
  const { socket } = request;
  // Node forgets that a client has sent all where an answer's `connection` was taken out.
  if (socket.readableEnded) endWhenAnswered(socket);
  else if (isWhole(request) || socket.destroyed) return;
  else if (socket.writableEnded)
    endGently(socket); // this was its last answer
  else drain(request);
}

function drain(request: IncomingMessage): void {
  const { socket } = request;
  let left = REST_BYTES_MAX;
  const read = ({ length }: Buffer) => {
    left -= length;
    if (request.complete) stop();
    else if (left < 0) socket.destroy();
  };
  const giveUp = setTimeout(() => (request.complete ? stop() : socket.destroy()), REST_MS).unref();
  function stop() {
    clearTimeout(giveUp);
    socket.off('data', read).off('close', stop);
  }
  socket.once('close', stop);
  readWith(read, socket);
  request.resume();
}

/**
 * Node's parser takes the bytes itself until there is a listener, and resumes reading a paused
 * socket at `resume`: a listener that was added before would leave it paused.
 */
function readWith(read: (bytes: Buffer) => void, socket: Socket): void {
  if (socket.isPaused()) socket.once('resume', () => socket.on('data', read)).resume();
  else socket.on('data', read);
}

/** Gives the answers that whole requests wait for, and closes then. Nothing more is read. */
export function endWhenAnswered(socket: Socket): void {
  const answer = owedTo(socket);
  if (answer === undefined) {
    endGently(socket);
    return;
  }
  socket.pause();
  if (ending.has(socket)) return;
  ending.add(socket);
  if (!answer.headersSent) answer.setHeader('connection', 'close');
  answer.once('close', () => endGently(socket));
}

/** Whether an answer was given on this connection, or will be. */
export const isAnswered = (socket: Socket): boolean =>
  socket.bytesWritten > 0 || owedTo(socket) !== undefined;

/** The last answer that a whole request waits for, or that was given before its body came. */
function owedTo(socket: Socket): ServerResponse | undefined {
  const last = newest.get(socket);
  if (last === undefined) return undefined;
  const answers =
    last.req.complete || last.writableEnded ? [last, before.get(last)] : [before.get(last)];
  return answers.find(
    (answer) => answer !== undefined && !answer.writableFinished && !endless.has(answer),
  );
}

/**
 * Says that nothing more comes, and reads a little of what the client still sends. Closing at once
 * would reset the connection, by which many clients lose an answer that they have not read.
 */
function endGently(socket: Socket): void {
  if (socket.destroyed || ended.has(socket)) return;
  ended.add(socket);
  socket.off('finish', socket.destroy); // of `destroySoon`, which Node calls after a last answer
  let left = REST_BYTES_MAX;
  const giveUp = setTimeout(() => socket.destroy(), REST_MS).unref();
  socket.once('close', () => clearTimeout(giveUp));
  socket.removeAllListeners('data'); // nothing is read as a request
  readWith(({ length }) => {
    left -= length;
    if (left < 0) socket.destroy();
  }, socket);
  socket.end();
}
