import { Empty, Page } from '@munshi/web-ui';
import { texts } from '../../texts.ts';

export default function DeliveryPage() {
  return (
    <Page title={texts.screens.delivery}>
      <Empty>
        <p>{texts.soon}</p>
      </Empty>
    </Page>
  );
}
