import type { PreviewPage } from '@munshi/api';
import { merchantWith } from '../merchants/service.ts';
import type { Deps } from '../people/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { samplePage } from './sample-page.ts';

/** The page isolates names by these, which no answer of JSON has: HTML can write them otherwise. */
const MARKS = /[\u2066-\u2069]/g;
const asEntity = (mark: string) => `&#${mark.charCodeAt(0)};`;

/**
 * The payment page as a change of a merchant would make it. Throws FieldErrors, TooManyWaiting and
 * `not-found`.
 */
export async function answerPagePreview(
  deps: Deps,
  { merchantId, by }: { readonly merchantId: string; readonly by: 'operator' | 'portal' },
  body: PreviewPage,
) {
  const { language, view, theme, ...change } = body;
  const { after: merchant, picture } = await merchantWith(deps, merchantId, change, by);
  const { displayNames } = await readPlatformSettings(deps.database.pool);
  const logo = picture && {
    url: `data:image/webp;base64,${picture.toString('base64')}`,
    bytes: picture.length,
  };
  const sample = {
    language,
    view,
    ...(theme !== undefined && { theme }),
    merchantName: merchant.displayName ?? merchant.name,
    brandColour: merchant.brandColour,
    logo: logo?.url ?? null,
    support: {
      email: merchant.supportEmail,
      phone: merchant.supportPhone,
      url: merchant.supportUrl,
    },
    displayNames,
  };
  const html = samplePage(sample, deps.clock.now(), deps.pathPrefix);
  return { data: { html: html.replaceAll(MARKS, asEntity), logo } };
}
