import { PREVIEW_PAGE } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { merchantWith } from '../../services/merchants.ts';
import { readPlatformSettings } from '../../storage/settings.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { LOGO_BODY_BYTES } from './merchants.ts';

/** The payment page as a change of a merchant would make it. */
export function pagePreviewRoute(app: FastifyInstance, deps: Deps): void {
  const options = { bodyLimit: LOGO_BODY_BYTES, config: { changesNothing: true } } as const;
  bind(
    app,
    PREVIEW_PAGE,
    async ({ params, body }) => {
      const { language, view, theme, ...change } = body;
      const { after: merchant, picture } = await merchantWith(deps, params.merchantId, change);
      const { displayNames } = await readPlatformSettings(deps.database.pool);
      const logo = picture && {
        url: `data:image/webp;base64,${picture.toString('base64')}`,
        bytes: picture.length,
      };
      const html = deps.drawSamplePage({
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
      });
      return { data: { html, logo } };
    },
    options,
  );
}
