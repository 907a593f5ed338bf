import { portal } from './contract/portal.ts';
import { ADDRESS_TEST } from './merchants.address-test.operator.ts';
import { PAGE_PREVIEW } from './page-preview.operator.ts';

/** What a change of settings would do, before it is saved. */

const { endpoint } = portal('Settings');

export const PORTAL_PREVIEW_PAGE = endpoint('POST /settings/page-preview', {
  summary: 'Preview the payment page',
  ...PAGE_PREVIEW,
  needs: 'read',
});
export const PORTAL_TEST_ADDRESS = endpoint('POST /settings/address-test', {
  summary: 'Test whether an address may make orders',
  ...ADDRESS_TEST,
  needs: 'read',
});
