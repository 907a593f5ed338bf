import { Empty, Page } from '@munshi/web-ui';
import { texts } from '../../texts.ts';

export default function MoneyPage() {
  return (
    <Page title={texts.screens.money}>
      <Empty>
        <p>{texts.soon}</p>
      </Empty>
    </Page>
  );
}
