import { useState } from 'react';

const KEY = 'munshi.orders.visited';
/** The oldest are forgotten. */
const KEPT = 500;

const read = (): readonly string[] => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
};

/** Which orders this browser has opened from the list, by their id. */
export function useVisited() {
  const [visited, setVisited] = useState<ReadonlySet<string>>(() => new Set(read()));
  return {
    has: (orderId: string) => visited.has(orderId),
    note(orderId: string) {
      const next = [...new Set([orderId, ...read()])].slice(0, KEPT);
      localStorage.setItem(KEY, JSON.stringify(next));
      setVisited(new Set(next));
    },
  };
}
