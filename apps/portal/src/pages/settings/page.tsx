import { Empty, Page } from '@munshi/web-ui';
import { texts } from '../../texts.ts';

export default function SettingsPage() {
  return (
    <Page title={texts.screens.settings}>
      <Empty>
        <p>{texts.soon}</p>
      </Empty>
    </Page>
  );
}
