import { Page, PageTabs, usePathTab } from '@munshi/web-ui';
import { SignatureChecker } from './checker.tsx';
import { Keys } from './keys.tsx';
import { Links } from './links.tsx';
import { Refused } from './refused.tsx';

const TABS = {
  keys: ['API keys', Keys],
  signature: ['Signature checker', SignatureChecker],
  refused: ['Refused requests', Refused],
  reference: ['Reference', Links],
} as const;

/** P7. */
export default function DevelopersPage() {
  const { Shown, ...tab } = usePathTab('/developers', TABS);
  return (
    <Page title="Developers">
      <PageTabs {...tab}>
        <Shown />
      </PageTabs>
    </Page>
  );
}
