import { portal } from './contract/portal.ts';
import { listOf, PAGE, strictObject } from './contract/schemas.ts';
import {
  MOVEMENT_TIMES,
  STATEMENT_FILE,
  WalletMovementView,
} from './wallets.movements.operator.ts';
import { AT_TIME, BALANCE_ANSWER } from './wallets.operator.ts';

/** The wallet of the merchant. */

const { endpoint } = portal('Money');

export const PORTAL_READ_BALANCE = endpoint('GET /balance', {
  summary: 'Read the balance',
  needs: 'read',
  querystring: strictObject(AT_TIME),
  answer: BALANCE_ANSWER,
  refusals: ['too-slow'],
});
export const PORTAL_LIST_MOVEMENTS = endpoint('GET /movements', {
  summary: 'List what moved the wallet',
  needs: 'read',
  querystring: strictObject({ ...MOVEMENT_TIMES, ...PAGE }),
  answer: listOf(WalletMovementView, 'The newest first, each with the balances after it.'),
  refusals: ['too-slow'],
});
export const PORTAL_EXPORT_MOVEMENTS = endpoint('GET /movements.csv', {
  summary: 'The same as a CSV file',
  needs: 'read',
  querystring: strictObject(MOVEMENT_TIMES),
  answer: STATEMENT_FILE,
  refusals: ['too-slow'],
});
