/** What a member hands a picture in with. */
export const MEMBER_EVIDENCE_KINDS = ['confirm', 'reject', 'report'] as const;
/** `paid`: a customer's, of the payment that they have confirmed. */
export const EVIDENCE_KINDS = [...MEMBER_EVIDENCE_KINDS, 'paid'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Pictures of an order that one member may hand in. */
export const EVIDENCE_PER_MEMBER = 5;
/** And its customer: a screenshot, and the right one if it was another. */
export const EVIDENCE_PER_CUSTOMER = 2;
/** Bytes of a picture as it is handed in, and as it is kept. */
export const EVIDENCE_UPLOAD_BYTES_MAX = 1024 * 1024;
export const EVIDENCE_BYTES_MAX = 200 * 1024;
/** Pixels of the long side, as it is kept. */
export const EVIDENCE_SIDE_MAX = 1_600;
