import Receipt from 'lucide-react/icons/receipt';
import Search from 'lucide-react/icons/search';
import Store from 'lucide-react/icons/store';
import Users from 'lucide-react/icons/users';
import Zap from 'lucide-react/icons/zap';
import type { ComponentType, ReactNode } from 'react';
import type { Screen } from '../screens.ts';
import { offered } from './offered.ts';
import { recentOf } from './recent.ts';
import { texts } from './texts.ts';

/** Somewhere to go, or something to do. */
export interface Item {
  readonly id: string;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number }>;
  readonly detail?: string;
  /** At its end: a status. */
  readonly side?: ReactNode;
  /** Below /console. */
  readonly path?: string;
  /** In place of `path`. */
  run?(): void;
}

export interface Group {
  readonly label: string;
  readonly items: readonly Item[];
}

const ICONS = { order: Receipt, merchant: Store, member: Users } as const;

const contains = (label: string, typed: string) =>
  label.toLocaleLowerCase().includes(typed.toLocaleLowerCase());

interface Where {
  readonly screens: readonly Screen[];
  readonly operatorId: string;
  /** The page that is open: nobody wants to go there. */
  readonly path: string;
}

/** What is known without asking: what the page offers, what was opened last, and every page. */
export function knownGroups(
  typed: string,
  { screens, operatorId, path: current }: Where,
): readonly Group[] {
  const actions = offered().map((offer) => ({ icon: Zap, ...offer }));
  const others = recentOf(operatorId).filter(({ path }) => path !== current);
  const recent = others.map(({ kind, path, label }) => ({
    id: `recent ${path}`,
    icon: ICONS[kind],
    label,
    side: texts.kinds[kind],
    path,
  }));
  const pages = screens.flatMap(({ path, menu }) =>
    menu === undefined
      ? []
      : [{ id: path, icon: menu.icon, label: menu.label, side: `g ${menu.letter}`, path }],
  );
  return [
    { label: texts.actions, items: actions },
    { label: texts.recent, items: recent },
    { label: texts.pages, items: pages },
  ].map(({ label, items }) => ({
    label,
    items: items.filter((item) => contains(item.label, typed)),
  }));
}

/** Whatever was typed can be looked for among all orders, at any time. */
export const allOrders = (typed: string): Item => ({
  id: 'all orders',
  icon: Search,
  label: texts.allOrders(typed),
  path: `/orders?search=${encodeURIComponent(typed)}`,
});
