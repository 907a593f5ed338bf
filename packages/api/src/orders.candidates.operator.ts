import { ACCOUNT_OBJECTIONS, MEMBER_OBJECTIONS } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { dataOf, enumOf, id, money, namedObject, operator, orNull } from './contract/operator.ts';
import { accountFields } from './members.accounts.ts';

/** Why an order has no member. */

const { endpoint } = operator('Orders');

export type CandidatesView = Shown<typeof CandidatesView>;
const CandidatesView = namedObject('OrderCandidates', {
  orderId: id('The order.'),
  floatAmount: money('What the member’s float must have, PKR.'),
  members: Type.Array(
    Type.Object({
      memberId: id('The member.'),
      name: Type.String(),
      openOrders: Type.Integer(),
      maxOpenOrders: Type.Integer(),
      floatFree: money('Balance less what open deposits hold, PKR.'),
      objection: orNull(
        enumOf(
          MEMBER_OBJECTIONS,
          'The first rule that excludes the member, regardless of the account; null: none.',
        ),
      ),
      accounts: Type.Array(
        Type.Object({
          ...accountFields,
          objection: orNull(
            enumOf(ACCOUNT_OBJECTIONS, 'The first rule that says no to this account; null: none.'),
          ),
        }),
        { description: 'Those that serve the order’s method or provider.' },
      ),
    }),
    { description: 'At most 50, those first who come nearest.' },
  ),
});
export const READ_CANDIDATES = endpoint('GET /orders/:orderId/candidates', {
  summary: 'See who could take an order, and why others cannot',
  needs: 'read',
  description:
    'By the rules that assign orders, as members are now. Somebody with no objection to themselves and to an account could take it.',
  answer: dataOf(CandidatesView, 'Members who have an account for it.'),
});
