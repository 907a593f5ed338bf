import { type RefObject, useEffect, useRef } from 'react';

const FLASH_MS = 1_200;

/**
 * What changes by itself flashes once, so that the eye finds it; not for people who have asked for
 * less motion.
 */
export function useFlash<Shown extends HTMLElement>(row: unknown): RefObject<Shown | null> {
  const shown = useRef<Shown>(null);
  const content = JSON.stringify(row);
  const before = useRef(content);
  useEffect(() => {
    if (before.current === content) return;
    before.current = content;
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    shown.current?.animate([{ background: 'var(--accent-back)' }, {}], FLASH_MS);
  }, [content]);
  return shown;
}
