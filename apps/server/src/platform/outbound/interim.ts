import type { Socket } from 'node:net';

const ONE = 0x31;
const ZERO = 0x30;
const TWO = 0x32;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Where a status line has its code: behind `HTTP/1.1 `. */
const CODE_AT = 9;

/**
 * Has an unasked `100 Continue` skipped as other interim answers are: undici takes it for the end of
 * the connection. What the socket reads has 102 in its place. Answers a function that is called when
 * the final answer of a request was read, before the next request.
 */
export function skipContinue(socket: Socket): () => void {
  /** In the head of an answer: the place in the status line, then in the lines after it. */
  let at = 0;
  let isFinal = false;
  let isZero = false;
  let isLineEmpty = false;
  const read = socket.read.bind(socket);

  function pass(bytes: Buffer): void {
    for (let index = 0; index < bytes.length && !isFinal; index += 1) {
      const byte = bytes[index];
      if (at === CODE_AT) isFinal = byte !== ONE;
      else if (at === CODE_AT + 1) isZero = byte === ZERO;
      else if (at === CODE_AT + 2 && isZero && byte === ZERO) bytes[index] = TWO;
      at += 1;
      if (at > CODE_AT && byte === LINE_FEED) {
        if (isLineEmpty) at = 0;
        isLineEmpty = true;
      } else if (byte !== CARRIAGE_RETURN) isLineEmpty = false;
    }
  }
  socket.read = (size) => {
    const bytes: Buffer | null = read(size);
    if (bytes !== null && !isFinal) pass(bytes);
    return bytes;
  };
  return () => {
    at = 0;
    isFinal = false;
  };
}
