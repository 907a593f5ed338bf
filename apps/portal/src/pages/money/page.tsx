import { Page, PageTabs, usePathTab } from '@munshi/web-ui';
import { Movements } from './movements.tsx';
import { Statements } from './statements.tsx';

const TABS = {
  movements: ['Movements', Movements],
  statements: ['Statements', Statements],
} as const;

/** P5. */
export default function MoneyPage() {
  const { Shown, ...tab } = usePathTab('/money', TABS);
  return (
    <Page title="Money">
      <PageTabs {...tab}>
        <Shown />
      </PageTabs>
    </Page>
  );
}
