import { Page, PageTabs } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { useLocation, useParams } from 'wouter';
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
type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

/** P7. */
export default function DevelopersPage() {
  const { tab } = useParams<{ tab?: string }>();
  const [, go] = useLocation();
  const chosen = NAMES.find((name) => name === tab) ?? 'keys';
  const Shown = TABS[chosen];
  return (
    <Page title={texts.title}>
      <PageTabs
        tabs={texts.tabs}
        value={chosen}
        onChange={(next) => go(`/developers${next === 'keys' ? '' : `/${next}`}`)}
      >
        <Shown />
      </PageTabs>
    </Page>
  );
}
