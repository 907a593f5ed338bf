import { PORTAL_PREVIEW_PAGE, PORTAL_TEST_ADDRESS } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { LOGO_BODY_BYTES, testAddress } from '../merchants/service.ts';
import { bind } from '../platform/http/bind.ts';
import type { Deps } from '../platform/http/deps.ts';
import { answerPagePreview } from './routes.ts';

/** What a change of the merchant's settings would do. Nothing is written. */
export function previewRoutes(app: FastifyInstance, deps: Deps): void {
  bind(
    app,
    PORTAL_PREVIEW_PAGE,
    ({ portal: { principal }, body }) =>
      answerPagePreview(deps, { merchantId: principal.merchantId, by: 'portal' }, body),
    { bodyLimit: LOGO_BODY_BYTES },
  );
  bind(app, PORTAL_TEST_ADDRESS, async ({ portal, body }) => ({
    data: await testAddress(deps, portal.principal.merchantId, body),
  }));
}
