import { useEffect } from 'react';
import { useSession } from '../session.tsx';

/** An order, a merchant or a member that somebody has opened. Nothing of customers is in it. */
export interface Recent {
  readonly kind: 'order' | 'merchant' | 'member';
  /** Below /console. */
  readonly path: string;
  readonly label: string;
}

const KEPT = 8;
const keyOf = (operatorId: string) => `munshi.recent.${operatorId}`;

/** What this operator has opened last in this browser, the newest first. */
export function recentOf(operatorId: string): readonly Recent[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(operatorId)) ?? '[]');
  } catch {
    return [];
  }
}

/** Keeps in this browser that it was opened; undefined while it is not known. */
export function useRecent(opened: Recent | undefined): void {
  const { operatorId } = useSession().operator;
  const { kind, path, label } = opened ?? {};
  useEffect(() => {
    if (kind === undefined || path === undefined || label === undefined) return;
    const others = recentOf(operatorId).filter((one) => one.path !== path);
    const next = [{ kind, path, label }, ...others].slice(0, KEPT);
    try {
      localStorage.setItem(keyOf(operatorId), JSON.stringify(next));
    } catch {
      // A browser without room keeps none.
    }
  }, [operatorId, kind, path, label]);
}

/** Whoever signs out leaves no list behind. */
export const forgetRecent = (operatorId: string): void =>
  localStorage.removeItem(keyOf(operatorId));
