import type { PreviewPage } from '@munshi/api';
import type { DisplayNames } from '../writes/platform-settings.store.ts';

declare module '../platform/http/deps.ts' {
  interface Deps {
    /** The payment page with made-up data: faces do not know each other. */
    readonly drawSamplePage: (sample: SamplePage) => string;
  }
}

/** What a page with made-up data is drawn from: who sees it, and whose it is. */
export interface SamplePage extends Pick<PreviewPage, 'language' | 'view' | 'theme'> {
  readonly merchantName: string;
  /** `#rrggbb` in lower case. */
  readonly brandColour: string | null;
  /** A `data:` URL. */
  readonly logo: string | null;
  readonly support: {
    readonly email: string | null;
    readonly phone: string | null;
    readonly url: string | null;
  };
  readonly displayNames: DisplayNames;
}
