import { PORTAL_PREVIEW_PAGE } from '@munshi/api';
import { LOGO_BODY_BYTES } from '../merchants/service.ts';
import type { PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { answerPagePreview } from './preview.routes.ts';

/** The payment page as a change of the merchant's settings would make it. */
export function pagePreviewRoute(face: PortalFace, deps: Deps): void {
  bind(
    face,
    PORTAL_PREVIEW_PAGE,
    ({ body }, { principal }) =>
      answerPagePreview(deps, { merchantId: principal.merchantId, by: 'portal' }, body),
    { bodyLimit: LOGO_BODY_BYTES },
  );
}
