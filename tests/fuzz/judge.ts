import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Schema from 'typebox/schema';
import type { Draft } from './request.ts';
import type { Operation } from './routes.ts';
import type { Exchange, WireAnswer } from './wire.ts';

/** What is wrong with an exchange; undefined when every answer is one that the documents know. */
export function judge(
  { answers, end }: Exchange,
  draft: Draft,
  operation: Operation,
  bodyLength: number,
): string | undefined {
  if (end === 'silent') return 'no answer';
  if (end === 'odd') return 'an answer that is no HTTP';
  // Bytes that never were a whole request may be answered by closing.
  if (answers.length === 0)
    return draft.odd.has('framing') ? undefined : 'the connection was closed without an answer';
  for (const answer of answers.map(decoded)) {
    const wrong = draft.odd.has('framing')
      ? wrongShape(answer, draft.method === 'HEAD')
      : wrongAnswer(answer, draft, operation, bodyLength);
    if (wrong !== undefined)
      return `${wrong} (${answer.status}, ${answer.headers.get('content-type')}): ${answer.body.toString('utf8').slice(0, 500)}`;
  }
  return undefined;
}

/** The body as it was before it was compressed for the way. */
function decoded(answer: WireAnswer): WireAnswer {
  const encoding = answer.headers.get('content-encoding');
  if (encoding === undefined || answer.body.length === 0) return answer;
  return {
    ...answer,
    body: encoding === 'br' ? brotliDecompressSync(answer.body) : gunzipSync(answer.body),
  };
}

/** As one header, sent once. */
function isJson({ headers, odd }: Draft): boolean {
  return (
    !odd.has('type') &&
    headers.some(([name, value]) => name === 'Content-Type' && value === 'application/json')
  );
}

function wrongAnswer(
  answer: WireAnswer,
  draft: Draft,
  operation: Operation,
  bodyLength: number,
): string | undefined {
  const { status } = answer;
  if (status >= 500) return 'a failure of the service';
  const { documented, face, bodyLimit, check } = operation;
  const readsBody = draft.body.kind !== 'none';
  const inFamily =
    documented.has(status) ||
    // What a request is before it is a call: unknown addresses, unreadable bodies
    // (docs/errors.md).
    (status === 404 && draft.odd.has('address')) ||
    (draft.odd.has('address') && [200, 301, 303, 400, 401, 403, 409, 410, 422].includes(status)) ||
    (status === 400 && face !== 'merchant' && readsBody) ||
    (status === 413 &&
      (face !== 'merchant' || draft.odd.has('address')) &&
      bodyLength > bodyLimit) ||
    (status === 415 && face !== 'merchant' && draft.method !== 'GET' && !isJson(draft));
  if (!inFamily) return 'a status that is not documented for it';
  if (status === 200 && !draft.odd.has('address') && draft.method !== 'HEAD') {
    const wrong = check(answer);
    if (wrong !== undefined) return wrong;
  }
  return wrongShape(answer, draft.method === 'HEAD');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What only the inside of the service says. */
const INSIDE =
  /node_modules|\.ts:\d+|\bat (?:async )?\w+ \(|syntax error at|violates \w+ constraint|invalid byte sequence|RangeError|TypeError|Cannot read prop/;
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  error: ['error'],
  refusal: ['code', 'error'],
  signature: ['code', 'error', 'success', 'traceId'],
  problem: ['errors', 'status', 'title', 'traceId', 'type'],
  codedProblem: ['code', 'errors', 'status', 'title', 'traceId', 'type'],
};

/** Every refusal has one of the documented body formats (merchant-api.md#errors). */
function wrongShape({ status, headers, body }: WireAnswer, headOnly = false): string | undefined {
  if (status >= 500) return 'a failure of the service';
  if (headOnly) return undefined;
  const type = (headers.get('content-type') ?? '').split(';')[0];
  if (body.length === 0)
    return status === 200 ||
      status === 303 ||
      status === 301 ||
      (status === 401 && type === '') ||
      type === 'text/event-stream'
      ? undefined
      : 'an empty body';
  if (status < 400) return undefined;
  const text = body.toString('utf8');
  if (INSIDE.test(text)) return 'an answer that shows the inside';
  // After half a minute.
  if (text.includes('The request did not arrive in time.')) return 'more bytes were waited for';
  if (type === 'text/html')
    return /^<!doctype html>/i.test(text) ? undefined : 'a page that is no page';
  if (type !== 'application/json' && type !== 'application/problem+json')
    return 'a refusal of an unknown type';
  const json = JSON.parse(text) as Record<string, unknown>;
  const keys = Object.keys(json).sort().join();
  const shape = Object.keys(SHAPES).find((name) => SHAPES[name]?.join() === keys);
  const isProblem = shape === 'problem' || shape === 'codedProblem';
  if (shape === undefined || isProblem !== (type === 'application/problem+json'))
    return 'a refusal of an unknown shape';
  if (isProblem && (json['status'] !== status || status !== 400))
    return 'problem details of another status';
  if (shape === 'signature' && status !== 401 && status !== 413)
    return 'a signature error of another status';
  if (shape !== 'error' && shape !== 'refusal' && !UUID.test(String(json['traceId'])))
    return 'a refusal without a traceId';
  return isProblem || /\S/.test(String(json['error'])) ? undefined : 'a refusal that says nothing';
}

/** Holds a success against the schema of the document. */
export function checkAgainst(
  schema: object | undefined,
): (answer: WireAnswer) => string | undefined {
  if (schema === undefined) return () => undefined;
  const compiled = Schema.Compile(schema as never);
  return ({ headers, body }) => {
    if (headers.get('content-type')?.startsWith('text/event-stream')) return undefined;
    const json = JSON.parse(body.toString('utf8')) as unknown;
    return compiled.Check(json) ? undefined : 'a success of another shape than documented';
  };
}
