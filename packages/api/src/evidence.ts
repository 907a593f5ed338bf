import { EVIDENCE_KINDS } from '@munshi/core';
import Type from 'typebox';
import { namedEnum, orNull, time, timeOf } from './contract/schemas.ts';

/** Pictures about an order, as the member and operator faces have them. */

export const EVIDENCE_KIND = namedEnum(
  'EvidenceKind',
  EVIDENCE_KINDS,
  'What it is handed in with: a confirmation, a rejection or a report; `paid`: by the customer, of their payment.',
);

export const evidenceFields = {
  evidenceId: Type.String({ format: 'uuid' }),
  kind: EVIDENCE_KIND,
  sentAt: time,
  bytes: Type.Integer({ description: 'Of the picture as it is kept, WebP.' }),
  width: Type.Integer({ description: 'Pixels.' }),
  height: Type.Integer({ description: 'Pixels.' }),
  sha256: Type.String({ description: 'Of the picture as it is kept, in hex.' }),
  deletedAt: orNull(timeOf('The picture has been deleted, `evidenceDays` after it was handed in.')),
};

/** The body of a picture's answer. */
export const PICTURE = Type.String({
  description: 'The picture.',
  contentMediaType: 'image/webp',
});
