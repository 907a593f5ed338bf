/**
 * `wrong` has to be fixed before people's money depends on it; `warning` is worth a decision;
 * `unknown` could not be looked at from here.
 */
type State = 'ok' | 'warning' | 'wrong' | 'unknown';

export interface Finding {
  readonly check: string;
  readonly state: State;
  /** What was found, in a sentence. */
  readonly found: string;
  /** What to do; only where it is not ok. */
  readonly mend?: string;
}

export type Judgement = Omit<Finding, 'check'>;

export const ok = (found: string): Judgement => ({ state: 'ok', found });
const judged = (state: State) => (found: string, mend: string) => ({ state, found, mend });
export const warning = judged('warning');
export const wrong = judged('wrong');
export const unknown = judged('unknown');
