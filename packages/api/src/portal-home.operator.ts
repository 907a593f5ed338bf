import Type from 'typebox';
import { KEY_PREFIX } from './api-keys.operator.ts';
import type { Shown } from './contract/endpoint.ts';
import { dataOf, id, namedObject, operator, orNull, time } from './contract/operator.ts';
import { EndpointView } from './deliveries.operator.ts';
import { MERCHANT_COUNTED_MAX } from './merchants.operator.ts';
import { OwnDayView } from './portal-home.portal.ts';
import { BalanceView } from './wallets.operator.ts';

/** How a merchant does today, for operators. */

const { endpoint } = operator('Merchants');

export type MerchantOverviewView = Shown<typeof MerchantOverviewView>;
const MerchantOverviewView = namedObject('MerchantOverview', {
  merchantId: id('The merchant.'),
  asOf: time,
  balance: BalanceView,
  openWithdrawals: Type.Integer({
    description: `The orders that \`reservedBalance\` is reserved for, counted as far as ${MERCHANT_COUNTED_MAX.toLocaleString('en')}.`,
  }),
  today: OwnDayView,
  yesterday: OwnDayView,
  timeZone: Type.String({ description: 'Of the days.' }),
  receivers: Type.Array(EndpointView, {
    description: 'At most 20, those that fail first, the longest failing before the others.',
  }),
  keys: Type.Array(Type.Object({ prefix: KEY_PREFIX, createdAt: time, lastUsedAt: orNull(time) }), {
    description: 'Those in force, the newest first.',
  }),
});
export const READ_MERCHANT_OVERVIEW = endpoint('GET /merchants/:merchantId/overview', {
  summary: 'See how a merchant does today',
  needs: 'read',
  answer: dataOf(
    MerchantOverviewView,
    'Wallet, orders, receivers and keys. Orders count on the day of their creation.',
  ),
  refusals: ['too-slow'],
});
