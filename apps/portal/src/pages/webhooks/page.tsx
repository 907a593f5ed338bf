import { Empty, Page } from '@munshi/web-ui';
import { texts } from '../../texts.ts';

export default function WebhooksPage() {
  return (
    <Page title={texts.screens.webhooks}>
      <Empty>
        <p>{texts.soon}</p>
      </Empty>
    </Page>
  );
}
