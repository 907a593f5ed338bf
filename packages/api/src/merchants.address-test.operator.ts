import Type from 'typebox';
import { ASKS } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  dataOf,
  namedObject,
  operator,
  optional,
  orNull,
  strictObject,
} from './contract/operator.ts';
import { IP_WHITELIST } from './merchants.operator.ts';

/** Whether an address may make orders for a merchant. */

const { endpoint } = operator('Merchants');

const Verdict = namedObject('Verdict', {
  accepted: Type.Boolean(),
  entry: orNull(
    Type.String({
      description: 'The first entry that lets it in; null: none does, or no list is in force.',
    }),
  ),
});
export type AddressTestView = Shown<typeof AddressTestView>;
const AddressTestView = namedObject('AddressTest', {
  restricted: Type.Boolean({ description: 'Only listed addresses are let in.' }),
  deposits: Verdict,
  withdrawals: Verdict,
});
/** What the routes of both faces have in common. */
export const ADDRESS_TEST = {
  decides: ASKS,
  audit: [],
  description: 'By the rule that decides about orders. Nothing is written.',
  body: strictObject({
    address: Type.String({ maxLength: 100, description: 'An IPv4 or IPv6 address.' }),
    ipWhitelist: optional(IP_WHITELIST),
  }),
  answer: dataOf(AddressTestView, 'By the list that was sent, or else by the stored one.'),
} as const;
export const TEST_ADDRESS = endpoint('POST /merchants/:merchantId/address-test', {
  summary: 'Test whether an address may make orders',
  ...ADDRESS_TEST,
  needs: 'read',
});
