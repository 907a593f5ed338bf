import { PORTAL_PREVIEW_PAGE } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { LOGO_BODY_BYTES } from '../merchants/service.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { answerPagePreview } from './preview.routes.ts';

/** The payment page as a change of the merchant's settings would make it. */
export function pagePreviewRoute(app: FastifyInstance, deps: Deps): void {
  bind(
    app,
    PORTAL_PREVIEW_PAGE,
    ({ portal: { principal }, body }) =>
      answerPagePreview(deps, { merchantId: principal.merchantId, by: 'portal' }, body),
    { bodyLimit: LOGO_BODY_BYTES },
  );
}
