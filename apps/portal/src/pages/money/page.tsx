import { Page, PageTabs } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { useLocation, useParams } from 'wouter';
import { Movements } from './movements.tsx';
import { Statements } from './statements.tsx';
import { texts } from './texts.ts';

const TABS: Readonly<Record<keyof typeof texts.tabs, ComponentType>> = {
  movements: Movements,
  statements: Statements,
};
type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

/** P5. */
export default function MoneyPage() {
  const { tab } = useParams<{ tab?: string }>();
  const [, go] = useLocation();
  const chosen = NAMES.find((name) => name === tab) ?? 'movements';
  const Shown = TABS[chosen];
  return (
    <Page title={texts.title}>
      <PageTabs
        tabs={texts.tabs}
        value={chosen}
        onChange={(next) => go(`/money${next === 'movements' ? '' : `/${next}`}`)}
      >
        <Shown />
      </PageTabs>
    </Page>
  );
}
