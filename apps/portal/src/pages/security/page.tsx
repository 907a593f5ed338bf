import { Empty, Page } from '@munshi/web-ui';
import { texts } from '../../texts.ts';

export default function SecurityPage() {
  return (
    <Page title={texts.screens.security}>
      <Empty>
        <p>{texts.soon}</p>
      </Empty>
    </Page>
  );
}
