import { type ReactNode, useState } from 'react';
import { useUnsaved } from '../unsaved.tsx';

/** A form that is saved as a whole. Leaving it asks first where something in it is not saved. */
export interface Save<Change> {
  readonly mayChange: boolean;
  readonly sending: boolean;
  readonly error: Error | null;
  /** True until something is typed again. */
  readonly saved: boolean;
  touch(): void;
  /** What is said of a change before it is saved. */
  beforehand(change: Change): ReactNode;
  save(change: Change): Promise<void>;
}

/**
 * Nothing is saved yet where `send` resolves with `waits`: another person decides first.
 * `ifItWaits` says so beforehand.
 */
export function useSave<Change>(
  mayChange: boolean,
  send: (change: Change) => Promise<unknown>,
  ifItWaits: (change: Change) => ReactNode = () => null,
): Save<Change> {
  const [state, setState] = useState<'idle' | 'typed' | 'sending' | 'saved' | Error>('idle');
  useUnsaved(() => state === 'typed' || state instanceof Error);
  return {
    mayChange,
    sending: state === 'sending',
    error: state instanceof Error ? state : null,
    saved: state === 'saved',
    touch: () => setState('typed'),
    beforehand: (change) => (state === 'idle' || state === 'saved' ? null : ifItWaits(change)),
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
