import { Page, PageTabs, usePathTab } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { Movements } from './movements.tsx';
import { Statements } from './statements.tsx';
import { texts } from './texts.ts';

const TABS: Readonly<Record<keyof typeof texts.tabs, ComponentType>> = {
  movements: Movements,
  statements: Statements,
};

/** P5. */
export default function MoneyPage() {
  const { Shown, ...tab } = usePathTab('/money', TABS);
  return (
    <Page title={texts.title}>
      <PageTabs tabs={texts.tabs} {...tab}>
        <Shown />
      </PageTabs>
    </Page>
  );
}
