import { useEffect, useState } from 'react';

/**
 * For dialogs that are mounted when they open: the focus goes back to where it came from when they
 * close, or to the page's heading where that is gone.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement as HTMLElement | null);
  useEffect(
    () => () => {
      // After the dialog is gone: an element that got the focus meanwhile keeps it.
      setTimeout(() => {
        if (document.activeElement !== document.body) return;
        const back = opener?.isConnected ? opener : document.querySelector<HTMLElement>('h1');
        back?.focus({ preventScroll: true });
      });
    },
    [opener],
  );
}
