import { useState } from 'react';

/** A form that is saved as a whole. */
export interface Save<Change> {
  readonly mayChange: boolean;
  readonly sending: boolean;
  readonly error: Error | null;
  /** True until something is typed again. */
  readonly saved: boolean;
  touch(): void;
  save(change: Change): Promise<void>;
}

/** What `send` resolves with is `waits` where somebody else decides: then nothing is saved. */
export function useSave<Change>(
  mayChange: boolean,
  send: (change: Change) => Promise<unknown>,
): Save<Change> {
  const [state, setState] = useState<'idle' | 'sending' | 'saved' | Error>('idle');
  return {
    mayChange,
    sending: state === 'sending',
    error: state instanceof Error ? state : null,
    saved: state === 'saved',
    touch: () => setState('idle'),
    save: async (change) => {
      setState('sending');
      try {
        setState((await send(change)) === 'waits' ? 'idle' : 'saved');
      } catch (error) {
        setState(error as Error);
      }
    },
  };
}
