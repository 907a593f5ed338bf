import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

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

/** JSON lines on standard output. Keys, secrets, signatures, account numbers and cookies are redacted. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: logLevel,
    redact: { paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]), censor: '[redacted]' },
    serializers: { err: pino.stdSerializers.err },
  });
}
