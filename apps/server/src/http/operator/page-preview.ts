import { PREVIEW_PAGE } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { LOGO_BODY_BYTES } from '../../services/merchants.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { answerPagePreview } from '../page-preview.ts';

/** The payment page as a change of a merchant would make it. */
export function pagePreviewRoute(app: FastifyInstance, deps: Deps): void {
  bind(
    app,
    PREVIEW_PAGE,
    ({ params: { merchantId }, body }) =>
      answerPagePreview(deps, { merchantId, by: 'operator' }, body),
    { bodyLimit: LOGO_BODY_BYTES },
  );
}
