import Zap from 'lucide-react/icons/zap';
import type { ComponentType, ReactNode } from 'react';
import type { Screen } from '../frame/screen.ts';
import { offered } from './offered.ts';
import { recentOf } from './recent.ts';

/** Somewhere to go, or something to do. */
export interface Item {
  readonly id: string;
  readonly label: string;
  readonly icon: ComponentType<{ size?: number }>;
  readonly detail?: string;
  /** At its end: a status. */
  readonly side?: ReactNode;
  /** Below the app's address. */
  readonly path?: string;
  /** In place of `path`. */
  run?(): void;
}

export interface Group {
  readonly label: string;
  readonly items: readonly Item[];
}

/** What can be found and opened, such as orders. */
export interface Kind {
  readonly label: string;
  readonly icon: Item['icon'];
}

const contains = (label: string, typed: string) =>
  label.toLocaleLowerCase().includes(typed.toLocaleLowerCase());

interface Where {
  readonly screens: readonly Screen[];
  readonly kinds: Readonly<Record<string, Kind>>;
  /** The heading of what the open page offers. */
  readonly actions: string;
  readonly whoId: string;
  /** The page that is open: nobody wants to go there. */
  readonly path: string;
}

/** What is known without asking: what the page offers, what was opened last, and every page. */
export function knownGroups(
  typed: string,
  { screens, kinds, actions: actionsOf, whoId, path: current }: Where,
): readonly Group[] {
  const actions = offered().map((offer) => ({ icon: Zap, ...offer }));
  const others = recentOf(whoId).filter(({ path }) => path !== current);
  const recent = others.flatMap(({ kind, path, label }) => {
    const known = kinds[kind];
    if (known === undefined) return [];
    return [{ id: `recent ${path}`, icon: known.icon, label, side: known.label, path }];
  });
  const pages = screens.flatMap(({ path, menu }) =>
    menu === undefined
      ? []
      : [{ id: path, icon: menu.icon, label: menu.label, side: `g ${menu.letter}`, path }],
  );
  return [
    { label: actionsOf, items: actions },
    { label: 'Recent', items: recent },
    { label: 'Pages', items: pages },
  ].map(({ label, items }) => ({
    label,
    items: items.filter((item) => contains(item.label, typed)),
  }));
}
