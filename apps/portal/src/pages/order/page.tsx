import { Empty, Page } from '@munshi/web-ui';
import { texts } from '../../texts.ts';

export default function OrderPage() {
  return (
    <Page title={texts.screens.order}>
      <Empty>
        <p>{texts.soon}</p>
      </Empty>
    </Page>
  );
}
