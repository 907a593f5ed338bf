import { useState } from 'react';
import { useUnsaved } from '../unsaved.tsx';

/** A form that is saved as a whole. Leaving it asks first where something in it is not saved. */
export interface Save<Change> {
  readonly mayChange: boolean;
  readonly sending: boolean;
  readonly error: Error | null;
  /** True until something is typed again. */
  readonly saved: boolean;
  touch(): void;
  save(change: Change): Promise<void>;
}

/** Nothing is saved yet where `send` resolves with `waits`: another person decides first. */
export function useSave<Change>(
  mayChange: boolean,
  send: (change: Change) => Promise<unknown>,
): Save<Change> {
  const [state, setState] = useState<'idle' | 'typed' | 'sending' | 'saved' | Error>('idle');
  useUnsaved(() => state === 'typed' || state instanceof Error);
  return {
    mayChange,
    sending: state === 'sending',
    error: state instanceof Error ? state : null,
    saved: state === 'saved',
    touch: () => setState('typed'),
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
