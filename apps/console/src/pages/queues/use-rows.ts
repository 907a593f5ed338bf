import { useKeys } from '@munshi/web-ui';
import { type RefObject, useEffect, useRef } from 'react';

/**
 * A list of rows: `j` and `k` move from the row in focus, else from the one that is open, which
 * comes into sight where it opens by itself.
 */
export function useRows(
  what: 'order' | 'claim',
  openId: string | undefined,
): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])];
  const isOpen = ({ ariaCurrent }: HTMLElement) => ariaCurrent === 'true';
  const move = (by: 1 | -1) => {
    const all = rows();
    const focused = all.indexOf(document.activeElement as HTMLElement);
    const from = focused === -1 ? all.findIndex(isOpen) : focused;
    const next = from === -1 ? 0 : Math.min(all.length - 1, Math.max(0, from + by));
    all[next]?.focus();
    all[next]?.scrollIntoView({ block: 'nearest' });
  };
  useKeys([
    { keys: 'j', label: `Next ${what}`, run: () => move(1) },
    { keys: 'k', label: `Previous ${what}`, run: () => move(-1) },
  ]);
  useEffect(() => {
    rows().find(isOpen)?.scrollIntoView({ block: 'nearest' });
  }, [openId]);
  return list;
}
