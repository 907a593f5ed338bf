import { PREVIEW_PAGE } from '@munshi/api';
import { LOGO_BODY_BYTES } from '../merchants/service.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { answerPagePreview } from './preview.routes.ts';

/** The payment page as a change of a merchant would make it. */
export function pagePreviewRoute(face: OperatorFace, deps: Deps): void {
  bind(
    face,
    PREVIEW_PAGE,
    ({ params: { merchantId }, body }) =>
      answerPagePreview(deps, { merchantId, by: 'operator' }, body),
    { bodyLimit: LOGO_BODY_BYTES },
  );
}
