import type { CommandKind, CommandOf, Decision, ResultOf } from '@munshi/core';
import { UnavailableError } from '../platform/database/errors.ts';
import type { Engine } from './engine.ts';

/**
 * Submits all commands and waits for their decisions. One that breaks does not affect the others:
 * its decision is undefined, and the log has the error. Throws UnavailableError if the database is
 * away; some of the commands may have been applied.
 */
export async function submitEach<Kind extends CommandKind>(
  { submit }: Pick<Engine, 'submit'>,
  commands: readonly (CommandOf<Kind> & { readonly kind: Kind; readonly orderId: string })[],
  log: { error(detail: object, message: string): void },
): Promise<readonly (Decision<ResultOf<Kind>> | undefined)[]> {
  const settled = await Promise.allSettled(commands.map((command) => submit<Kind>(command)));
  const broken = settled.flatMap((one, at) =>
    one.status === 'rejected' ? [{ error: one.reason as Error, command: commands[at] }] : [],
  );
  const away = broken.find(({ error }) => error instanceof UnavailableError);
  if (away !== undefined) throw away.error;
  const [first] = broken;
  if (first !== undefined) {
    const { kind, orderId } = first.command as { readonly kind: string; readonly orderId: string };
    log.error(
      { err: first.error, kind, orderId, count: broken.length },
      'commands failed that nobody waits for; the first of them is named',
    );
  }
  return settled.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
}
