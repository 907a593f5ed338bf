import type { AskingOperator } from './capability.ts';
import { type Objection, refuse } from './decision.ts';

/** The close of a day or shift: who counts, and who signs (operate/close-a-day.md). */

export const CLOSING_STATUSES = ['open', 'signed', 'discarded'] as const;
export type ClosingStatus = (typeof CLOSING_STATUSES)[number];
export const CLOSING_ACTIONS = ['count', 'sign', 'discard'] as const;
export type ClosingAction = (typeof CLOSING_ACTIONS)[number];

interface Closing {
  readonly status: ClosingStatus;
  readonly countedBy: string;
  readonly countedByName: string;
}

/** Against who counts, or has begun to: another operator signs. */
export function refuseCount(closing: Closing, who: Pick<AskingOperator, 'id'>): Objection {
  return (
    refuseEnded(closing) ??
    (closing.countedBy === who.id
      ? undefined
      : refuse(
          'second-operator',
          `${closing.countedByName} counts this closing. Discard it to count by yourself.`,
        ))
  );
}

interface Signing {
  /** The operators who were made on the server and let each of the two in, or are the two. */
  readonly origins: { readonly counter: string; readonly signer: string };
  /** Members without a count. */
  readonly uncounted: number;
}

/** Against a second signature by the counter, or an operator who may act as them (decision 10). */
export function refuseSignature(
  closing: Closing,
  { origins, uncounted }: Signing,
  who: Pick<AskingOperator, 'id'>,
): Objection {
  if (closing.status !== 'open') return refuseEnded(closing);
  if (closing.countedBy === who.id)
    return refuse('second-operator', 'You counted it: another operator signs.');
  if (origins.counter === origins.signer)
    return refuse(
      'second-operator',
      'You and the counter were let in by the same operator, or one of you by the other: an operator signs who was let in by another approver.',
    );
  if (uncounted > 0) return refuse('wrong-state', `${uncounted} of the members have no count yet.`);
  return undefined;
}

export const refuseEnded = ({ status }: Pick<Closing, 'status'>): Objection =>
  status === 'open' ? undefined : refuse('wrong-state', `This closing is ${status} already.`);

/** What an operator may do with a closing now (apis.md#what-may-be-done). */
export function closingActions(
  closing: Closing,
  signing: Signing,
  who: AskingOperator,
): readonly ClosingAction[] {
  if (!who.capabilities.has('decide')) return [];
  const objections: Readonly<Record<ClosingAction, Objection | 'no right'>> = {
    count: refuseCount(closing, who),
    sign: who.capabilities.has('write') ? refuseSignature(closing, signing, who) : 'no right',
    discard: refuseEnded(closing),
  };
  return CLOSING_ACTIONS.filter((action) => objections[action] === undefined);
}
