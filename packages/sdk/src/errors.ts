/** Messages by field: `walletType` of the body, `Idempotency-Key` of the headers. */
export type Fields = Readonly<Record<string, readonly string[]>>;

interface Details {
  readonly status?: number;
  readonly code?: string | undefined;
  readonly fields?: Fields | undefined;
  readonly traceId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * Why a call did not succeed. Branch on the class and, for a SignatureError, on `code`; the message
 * is for people.
 */
export class MunshiError extends Error {
  override readonly name: string = 'MunshiError';
  /** Of the answer; undefined where there was none. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** Empty unless the fields are named. */
  readonly fields: Fields;
  /** Quote it when you report an error to the operator. */
  readonly traceId: string | undefined;
  constructor(message: string, { status, code, fields = {}, traceId, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.traceId = traceId;
  }
}

/** 401 without a code: the API key is missing, unknown or revoked. */
export class AuthenticationError extends MunshiError {
  override readonly name = 'AuthenticationError';
}

/** 401 with a code: the signature of an order. */
export class SignatureError extends MunshiError {
  override readonly name = 'SignatureError';
}

/** 400 and 413; without a status if the SDK has refused it itself, and sent nothing. */
export class ValidationError extends MunshiError {
  override readonly name = 'ValidationError';
}

/** 404: there is no such order. */
export class NotFoundError extends MunshiError {
  override readonly name = 'NotFoundError';
}

/** 409: another order has the reference; the order cannot become this. */
export class ConflictError extends MunshiError {
  override readonly name = 'ConflictError';
}

/** 403, 422 and the like: understood, and not allowed. */
export class RefusedError extends MunshiError {
  override readonly name = 'RefusedError';
}

/** 429 and 5xx, until the last attempt. Try again later with the same Idempotency-Key. */
export class ServiceError extends MunshiError {
  override readonly name = 'ServiceError';
}

/**
 * No answer came, until the last attempt; `cause` says why. The order may have been created: try
 * again later with the same Idempotency-Key.
 */
export class ConnectionError extends MunshiError {
  override readonly name = 'ConnectionError';
}

/** The signature of a webhook is missing or matches none of the secrets: answer 401. */
export class WebhookSignatureError extends MunshiError {
  override readonly name = 'WebhookSignatureError';
}

/** The bodies of refusals (merchant-api.md#errors), of which each has some of these. */
interface Body {
  readonly error?: string;
  readonly title?: string;
  readonly code?: string;
  readonly traceId?: string;
  readonly errors?: Fields;
}

/** What an answer other than success says. */
export function errorOf(status: number, text: string): MunshiError {
  const { error, title, code, traceId, errors } = readBody(text);
  const fields =
    errors &&
    Object.fromEntries(
      Object.entries(errors).map(([name, messages]) => [name.replace(/^\$\./, ''), messages]),
    );
  const message = error ?? title ?? `the service answered ${status}`;
  return new (kindOf(status, code))(message, { status, code, fields, traceId });
}

function kindOf(status: number, code: string | undefined): typeof MunshiError {
  if (status === 429 || status >= 500) return ServiceError;
  switch (status) {
    case 400:
    case 413:
      return ValidationError;
    case 401:
      return code === undefined ? AuthenticationError : SignatureError;
    case 404:
      return NotFoundError;
    case 409:
      return ConflictError;
    default:
      return RefusedError;
  }
}

function readBody(text: string): Body {
  try {
    return Object(JSON.parse(text)) as Body;
  } catch {
    return {}; // of a proxy, or empty
  }
}
