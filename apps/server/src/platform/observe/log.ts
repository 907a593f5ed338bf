import pg from 'pg';
import { type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from '../config.ts';
import { ConflictError, UnavailableError } from '../database/errors.ts';
import { isReadByJournal, priorityOf, withPriority } from './journal.ts';

/** Never written to a log, wherever they appear in what is logged. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'svc-api-key',
  'apiKey',
  'signingSecret',
  'signature',
  'password',
  'token',
  'accountNumber',
  'customerAccountNumber',
  'payerAccount',
  'transactionDigits',
];

/**
 * Of a database error: where and what it is. Not its detail, context, query or parameters, which
 * hold rows.
 */
const ERROR_FIELDS = [
  'code',
  'severity',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'routine',
] as const;

/**
 * JSON lines on standard output, each with its priority if journald reads it. Keys, secrets,
 * signatures, account numbers, cookies and rows are left out. `leftOut`: lines about errors that are
 * reported elsewhere.
 */
export function createLogger(
  { logLevel }: Pick<Config, 'logLevel'>,
  leftOut: (error: unknown) => boolean = () => false,
): Logger {
  const options: LoggerOptions = {
    level: logLevel,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
      censor: '[redacted]',
    },
    serializers: { err: serializeError },
    hooks: {
      logMethod(args, method) {
        const [detail] = args as unknown[];
        if (typeof detail === 'object' && detail !== null && 'err' in detail && leftOut(detail.err))
          return;
        method.apply(this, args);
      },
    },
  };
  return isReadByJournal(1) ? pino(options, journalLines()) : pino(options);
}

/** Standard output, where pino leaves the level of each line in `lastLevel` (`pino.metadata`). */
function journalLines() {
  const output = pino.destination(1);
  return {
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      output.write(withPriority(line.trimEnd(), priorityOf(this.lastLevel)).concat('\n'));
    },
  };
}

/**
 * An error that says that the database is away has no stack: it comes from no place in the code.
 */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error instanceof ConflictError && error.cause !== undefined)
    return serializeError(error.cause);
  if (error instanceof pg.DatabaseError) {
    const fields = ERROR_FIELDS.flatMap((name) =>
      error[name] === undefined ? [] : [[name, error[name]]],
    );
    const message = withoutValues(error.message, error.code);
    const stack = error.stack?.replace(error.message, () => message);
    return {
      type: 'DatabaseError',
      message,
      ...Object.fromEntries(fields),
      stack,
    };
  }
  if (error instanceof UnavailableError) {
    const { message, code } = error;
    return { type: error.constructor.name, message, ...(code !== undefined && { code }) };
  }
  return pino.stdSerializers.err(error);
}

/** A value that does not fit its type (class 22) is quoted in the message itself. */
const withoutValues = (message: string, code = '') =>
  code.startsWith('22') ? message.replaceAll(/".*"/gs, '"…"') : message;
