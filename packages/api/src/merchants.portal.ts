import { MERCHANT_STATUSES, OWN_KEY_ACTIONS } from '@munshi/core';
import Type from 'typebox';
import type { BodyOf, Shown } from './contract/endpoint.ts';
import { OWN_PROTECTION, portal } from './contract/portal.ts';
import {
  allowedActions,
  CURRENCY,
  changeOf,
  dataOf,
  enumOf,
  METHODS,
  namedEnum,
  namedObject,
  orNull,
  time,
} from './contract/schemas.ts';
import { ADDRESS_TEST } from './merchants.address-test.operator.ts';
import { OWN_MERCHANT_FIELDS, OWN_MERCHANT_VIEW, TIME_ZONE } from './merchants.operator.ts';
import { DISPLAY_NAMES } from './settings.operator.ts';

/** The merchant itself, and its settings. */

const merchant = portal('Merchant');
const settings = portal('Settings');

const PortalMerchantView = namedObject('Merchant', {
  merchantId: Type.String(),
  name: Type.String(),
  status: namedEnum(
    'MerchantStatus',
    MERCHANT_STATUSES,
    'New orders are taken from active merchants only.',
  ),
  depositMethods: Type.Array(METHODS),
  withdrawalMethods: Type.Array(METHODS),
  currencies: Type.Array(CURRENCY),
  displayNames: DISPLAY_NAMES,
  timeZone: TIME_ZONE,
  operatorEmail: orNull(
    Type.String({ description: 'Where the operator takes questions; null: by ways of your own.' }),
  ),
  createdAt: time,
  ownKeysAllowed: Type.Boolean({ description: 'Its own admins may issue and revoke API keys.' }),
  allowedActions: allowedActions(OWN_KEY_ACTIONS),
});
export const PORTAL_READ_MERCHANT = merchant.endpoint('GET /merchant', {
  summary: 'Read one’s own merchant',
  needs: 'read',
  answer: dataOf(PortalMerchantView, 'The merchant.'),
});

export type PortalSettingsView = Shown<typeof PortalSettingsView>;
const PortalSettingsView = namedObject('Settings', {
  ...OWN_MERCHANT_VIEW,
  yourAddress: Type.String({ description: 'From where this request has come.' }),
  allowedActions: Type.Array(enumOf(['change'])),
});
export const PORTAL_READ_SETTINGS = settings.endpoint('GET /settings', {
  summary: 'Read the settings',
  needs: 'read',
  answer: dataOf(PortalSettingsView, 'The settings.'),
});
export type ChangePortalSettings = BodyOf<typeof PORTAL_CHANGE_SETTINGS>;
export const PORTAL_CHANGE_SETTINGS = settings.write('PATCH /settings', {
  summary: 'Change the settings',
  needs: 'write',
  decides: OWN_PROTECTION,
  audit: ['merchant.update'],
  description: 'For admins. Null takes a value away.',
  body: changeOf(OWN_MERCHANT_FIELDS),
  answer: dataOf(PortalSettingsView, 'The settings.'),
  refusals: ['too-many-tries', 'second-operator'],
});
export const PORTAL_TEST_ADDRESS = settings.endpoint('POST /settings/address-test', {
  summary: 'Test whether an address may make orders',
  ...ADDRESS_TEST,
  needs: 'read',
});
