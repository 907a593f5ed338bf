import Type from 'typebox';
import { namedObject, orNull } from './contract/schemas.ts';

/** How a member has done of late. */
export const MemberOfLate = namedObject(
  'MemberRecord',
  {
    ended: Type.Integer(),
    rejected: Type.Integer(),
    medianConfirmSeconds: orNull(
      Type.Integer({ description: 'From the customer’s word to completion, of deposits.' }),
    ),
  },
  { description: 'Of the last 200 orders that they ended.' },
);
