import {
  EVIDENCE_PER_MEMBER,
  EVIDENCE_UPLOAD_BYTES_MAX,
  MEMBER_EVIDENCE_KINDS,
} from '@munshi/core';
import Type from 'typebox';
import { member, OWN } from './contract/member.ts';
import { dataOf, enumOf, namedObject, strictObject } from './contract/schemas.ts';
import { evidenceFields, PICTURE } from './evidence.ts';

/** Pictures that a member hands in about an order. */

const { endpoint, write } = member('Orders');

const OwnEvidence = namedObject('Evidence', evidenceFields);
export const MEMBER_ADD_EVIDENCE = write('POST /orders/:orderId/evidence', {
  summary: 'Hand in a picture about an order',
  decides: OWN,
  audit: ['evidence.add'],
  description: `Of an order that one has, had or handed on, at most ${EVIDENCE_PER_MEMBER}, before the action or after it: it changes neither money nor status. It is redrawn as WebP of at most 200 KB with a long side of at most 1,600 pixels; nothing else of the file is kept. The same picture again answers the first. At most five at once are drawn for a member, by turns with other members. Operators see it.`,
  body: strictObject({
    kind: enumOf(MEMBER_EVIDENCE_KINDS, 'What it is handed in with.'),
    picture: Type.String({
      minLength: 1,
      // base64, and what a data: URL has before it
      maxLength: Math.ceil(EVIDENCE_UPLOAD_BYTES_MAX / 3) * 4 + 100,
      description:
        'A PNG, JPEG or WebP picture of at most 1 MB and 16 million pixels, as a `data:` URL or in base64.',
    }),
  }),
  answer: dataOf(OwnEvidence, 'It is handed in.'),
  refusals: ['too-many', 'too-many-tries'],
});
export const MEMBER_LIST_EVIDENCE = endpoint('GET /orders/:orderId/evidence', {
  summary: 'List the pictures that one has handed in',
  answer: dataOf(Type.Array(OwnEvidence), 'The oldest first.'),
});
export const MEMBER_OPEN_EVIDENCE = endpoint('GET /orders/:orderId/evidence/:evidenceId', {
  summary: 'Open a picture that one has handed in',
  answer: PICTURE,
});
