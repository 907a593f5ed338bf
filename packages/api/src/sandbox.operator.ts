import Type from 'typebox';
import { one } from './contract/decider.ts';
import { dataOf, id, operator, STATUS, strictObject } from './contract/operator.ts';

/** Orders in which no money is real. */

const { write } = operator('Orders');

export const MAKE_TEST_ORDER = write('POST /sandbox/orders', {
  summary: 'Make a test order and complete it',
  needs: 'administer',
  decides: one('Only where no money is real: in a sandbox, or outside of production.'),
  audit: ['sandbox.move'],
  description:
    'A deposit of PKR 100 by the merchant’s newest key, to a member who is online; customer and member are played. Fee, wallet, float and webhook are what they would be. A live service answers `wrong-state`.',
  body: strictObject({ merchantId: id('Whose order it is.') }),
  answer: dataOf(
    Type.Object({ orderId: id('Of the order.'), status: STATUS }),
    'The order afterwards.',
  ),
  refusals: ['not-found', 'wrong-state'],
});
