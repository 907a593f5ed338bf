import type { Endpoint } from '@munshi/api';
import type { RequestOf } from '@munshi/web';
import { useWrite, type Write } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { IfAnyWaits, IfItWaits } from './if-it-waits.tsx';

/** What is typed, nothing yet, or several that are sent together. */
type Asked<E extends Endpoint> = RequestOf<E> | null | readonly RequestOf<E>[];

/**
 * The one way to send a write that may wait for a second operator. The first part is the sentence
 * about the wait, for the place of the button; the second sends.
 */
export function useMayWait<E extends Endpoint>(
  endpoint: E,
): readonly [ifItWaits: (asked: Asked<E>) => ReactNode, send: Write<E>['send']] {
  const { send } = useWrite(endpoint as Endpoint) as unknown as Write<E>;
  return [
    (asked) =>
      Array.isArray(asked) ? (
        <IfAnyWaits endpoint={endpoint} requests={asked} />
      ) : (
        <IfItWaits endpoint={endpoint} request={asked as RequestOf<E> | null} />
      ),
    send,
  ];
}
