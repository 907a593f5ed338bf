import { useEffect } from 'react';
import { useSignedIn } from '../sign-in/session.tsx';

/** Something that somebody has opened, such as an order. Nothing of customers is in it. */
export interface Recent {
  /** One of the kinds of the app's palette. */
  readonly kind: string;
  /** Below the app's address. */
  readonly path: string;
  readonly label: string;
}

const KEPT = 8;
const keyOf = (whoId: string) => `munshi.recent.${whoId}`;

/** What they have opened last in this browser, the newest first. */
export function recentOf(whoId: string): readonly Recent[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(whoId)) ?? '[]');
  } catch {
    return [];
  }
}

/** Keeps in this browser that it was opened; undefined while it is not known. */
export function useRecent(opened: Recent | undefined): void {
  const { id } = useSignedIn().who;
  const { kind, path, label } = opened ?? {};
  useEffect(() => {
    if (kind === undefined || path === undefined || label === undefined) return;
    const others = recentOf(id).filter((one) => one.path !== path);
    const next = [{ kind, path, label }, ...others].slice(0, KEPT);
    try {
      localStorage.setItem(keyOf(id), JSON.stringify(next));
    } catch {
      // A browser without room keeps none.
    }
  }, [id, kind, path, label]);
}

/** A person who signs out leaves no list behind. */
export const forgetRecent = (whoId: string): void => localStorage.removeItem(keyOf(whoId));
