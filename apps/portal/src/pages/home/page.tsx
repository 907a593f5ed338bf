import { Empty, Page } from '@munshi/web-ui';
import { texts } from '../../texts.ts';

export default function HomePage() {
  return (
    <Page title={texts.screens.home}>
      <Empty>
        <p>{texts.soon}</p>
      </Empty>
    </Page>
  );
}
