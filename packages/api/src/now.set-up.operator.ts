import { SET_UP_STEPS } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { dataOf, enumOf, id, namedObject, operator, orNull } from './contract/operator.ts';

/** How far a new installation is set up. */

const { endpoint } = operator('Queues');

const SetUpView = namedObject('SetUp', {
  isNew: Type.Boolean({ description: 'Hardly any orders were made: show the steps.' }),
  steps: Type.Array(Type.Object({ step: enumOf(SET_UP_STEPS), done: Type.Boolean() }), {
    description:
      'From two approvers to the first settled order, in this order; each ticks itself. `second-operator` comes last: while it is on, the others wait for an approver.',
  }),
  merchantId: orNull(id('The first merchant.')),
  memberId: orNull(id('The first member.')),
  testOrders: Type.Boolean({ description: 'Whether `POST /sandbox/orders` is there.' }),
});
export type SetUpView = Shown<typeof SetUpView>;
export const READ_SET_UP = endpoint('GET /set-up', {
  summary: 'See how far a new installation is set up',
  needs: 'administer',
  answer: dataOf(SetUpView, 'How far it is.'),
});
