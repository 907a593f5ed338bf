import { Page, PageTabs, usePathTab } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { SignatureChecker } from './checker.tsx';
import { Keys } from './keys.tsx';
import { Links } from './links.tsx';
import { Refused } from './refused.tsx';
import { texts } from './texts.ts';

const TABS: Readonly<Record<keyof typeof texts.tabs, ComponentType>> = {
  keys: Keys,
  signature: SignatureChecker,
  refused: Refused,
  reference: Links,
};

/** P7. */
export default function DevelopersPage() {
  const { Shown, ...tab } = usePathTab('/developers', TABS);
  return (
    <Page title={texts.title}>
      <PageTabs tabs={texts.tabs} {...tab}>
        <Shown />
      </PageTabs>
    </Page>
  );
}
