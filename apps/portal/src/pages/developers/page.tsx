import { Empty, Page } from '@munshi/web-ui';
import { texts } from '../../texts.ts';

export default function DevelopersPage() {
  return (
    <Page title={texts.screens.developers}>
      <Empty>
        <p>{texts.soon}</p>
      </Empty>
    </Page>
  );
}
