import Type from 'typebox';
import { id, namedObject, operator } from './contract/operator.ts';
import { orNull } from './contract/schemas.ts';
import { evidenceFields, PICTURE } from './evidence.ts';

/** Pictures that members and customers have handed in about an order. */

const { endpoint } = operator('Orders');

export const EvidenceView = namedObject('Evidence', {
  ...evidenceFields,
  memberId: orNull(id('Who handed it in; null: the customer.')),
  memberName: orNull(Type.String({ description: 'As it is now.' })),
  alsoFor: Type.Array(Type.Object({ orderId: id('The order.'), orderReference: Type.String() }), {
    description: 'Other orders that the very same picture was handed in for, at most 5.',
  }),
});

export const OPEN_EVIDENCE = endpoint('GET /orders/:orderId/evidence/:evidenceId', {
  summary: 'Open a picture',
  needs: 'see-customers',
  audit: ['evidence.open'],
  description: 'Each opening is an entry of the audit log.',
  answer: PICTURE,
});
