import { PAGE_PREVIEW } from './checkout.preview.operator.ts';
import { portal } from './contract/portal.ts';

/** The payment page before a change of settings is saved. */

const { endpoint } = portal('Settings');

export const PORTAL_PREVIEW_PAGE = endpoint('POST /settings/page-preview', {
  summary: 'Preview the payment page',
  ...PAGE_PREVIEW,
  needs: 'read',
});
