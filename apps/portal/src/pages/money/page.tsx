import { Page } from '@munshi/web-ui';
import { Movements } from './movements.tsx';
import { texts } from './texts.ts';

/** P5. */
export default function MoneyPage() {
  return (
    <Page title={texts.title}>
      <Movements />
    </Page>
  );
}
