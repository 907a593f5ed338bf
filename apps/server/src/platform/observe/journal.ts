import { fstatSync } from 'node:fs';

/**
 * Levels for journald, which reads a priority at the beginning of each line (sd-daemon(3)) and
 * takes what has none for `info`.
 */
const PRIORITIES = { fatal: 2, error: 3, warn: 4, info: 6, debug: 7 } as const;
export type Priority = keyof typeof PRIORITIES;

/** The priority of a line in the log, by pino's number for its level. */
export function priorityOf(level: number): Priority {
  if (level >= 60) return 'fatal';
  if (level >= 50) return 'error';
  if (level >= 40) return 'warn';
  return level >= 30 ? 'info' : 'debug';
}

/**
 * Whether journald reads this stream: JOURNAL_STREAM names its device and inode. A program whose
 * output was redirected inherits the variable too (systemd.exec(5)).
 */
export function isReadByJournal(descriptor: 1 | 2): boolean {
  const stream = process.env['JOURNAL_STREAM'];
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(descriptor, { bigint: true });
    return stream === `${dev}:${ino}`;
  } catch {
    return false; // a closed one
  }
}

/** The text with its priority before each of its lines. */
export const withPriority = (text: string, priority: Priority): string =>
  text.replace(/^/gm, `<${PRIORITIES[priority]}>`);

/** Messages of start and stop, and of commands: on standard error. */
export const say = (text: string): void => write(text, 'info');
/** Why something could not be done. */
export const sayError = (text: string): void => write(text, 'error');

function write(text: string, priority: Priority) {
  process.stderr.write(`${isReadByJournal(2) ? withPriority(text, priority) : text}\n`);
}
