import { useDebouncedValue } from '@mantine/hooks';
import type { Endpoint } from '@munshi/api';
import type { RequestOf } from '@munshi/web';
import type { Write } from '@munshi/web-ui';
import { useMayWait } from './use-may-wait.tsx';
import { type ShownEffect, usePreview } from './use-preview.ts';

const SETTLE_MS = 300;

interface AmountEffect<E extends Endpoint> {
  readonly effect: ShownEffect | undefined;
  /** Why the service would refuse it. */
  readonly error: Error | null;
  /** The effect is that of what is typed now: it may be sent. */
  readonly isShown: boolean;
  readonly send: Write<E>['send'];
}

/**
 * What a typed amount would do, asked of the service when typing rests (decision 25). Undefined: not
 * an amount yet.
 */
export function useAmountEffect<E extends Endpoint>(
  endpoint: E,
  amount: string | undefined,
  request: (amount: string) => RequestOf<E>,
): AmountEffect<E> {
  const [, send] = useMayWait(endpoint); // the effect says whether it waits
  const [settled] = useDebouncedValue(amount, SETTLE_MS);
  const asked = amount === undefined || settled === undefined ? null : request(settled);
  const { data, error, isPlaceholderData } = usePreview(endpoint, asked);
  if (asked === null) return { effect: undefined, error: null, isShown: false, send };
  const isShown = settled === amount && data !== undefined && error === null && !isPlaceholderData;
  return { effect: data, error, isShown, send };
}
