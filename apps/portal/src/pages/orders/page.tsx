import { Empty, Page } from '@munshi/web-ui';
import { texts } from '../../texts.ts';

export default function OrdersPage() {
  return (
    <Page title={texts.screens.orders}>
      <Empty>
        <p>{texts.soon}</p>
      </Empty>
    </Page>
  );
}
