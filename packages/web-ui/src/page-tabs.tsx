import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import classes from './page-tabs.module.css';

/** Each tab with its label and what it shows, in their order. */
type TabsOf<Name extends string, Screen> = Readonly<
  Record<Name, readonly [label: string, screen: Screen]>
>;

interface PageTabsProps<Name extends string> {
  readonly tabs: TabsOf<Name, unknown>;
  readonly value: NoInfer<Name>;
  onChange(name: Name): void;
  /** What the chosen tab shows. */
  readonly children: ReactNode;
}

/** The chosen tab, when it becomes so. */
function bringIntoSight(tab: HTMLButtonElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** The tabs of a screen, in one line: where they do not fit, the line scrolls to the chosen one. */
export function PageTabs<Name extends string>(props: PageTabsProps<Name>) {
  const { tabs, value, onChange, children } = props;
  const names = Object.keys(tabs) as Name[];
  return (
    <Tabs value={value} keepMounted={false} onChange={(next) => onChange(next as Name)}>
      <Tabs.List className={classes['list']}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name} {...(name === value && { ref: bringIntoSight })}>
            {tabs[name][0]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={value} tabIndex={-1}>
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}

/**
 * The tab that the address names behind `path`, or the first one, and what it shows. With
 * `keepsSearch` the other tabs open with the same filters.
 */
export function usePathTab<Name extends string, Screen>(
  path: string,
  tabs: TabsOf<Name, Screen>,
  { keepsSearch = false } = {},
): Omit<PageTabsProps<Name>, 'children'> & { readonly Shown: Screen } {
  const { tab } = useParams<{ tab?: string }>();
  const [, go] = useLocation();
  const names = Object.keys(tabs) as Name[];
  const first = names[0] as Name;
  const value = names.find((name) => name === tab) ?? first;
  return {
    tabs,
    value,
    Shown: tabs[value][1],
    onChange(name) {
      const search = keepsSearch ? location.search : '';
      go(`${path}${name === first ? '' : `/${name}`}${search}`);
    },
  };
}
