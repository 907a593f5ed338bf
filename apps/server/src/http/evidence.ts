import type { OwnEvidence } from '@munshi/api';
import type { Evidence } from '../storage/orders/evidence.ts';
import { jsonTime } from './values.ts';

/** What both faces show of a picture beside itself. */
export const showEvidence = (evidence: Evidence): OwnEvidence => ({
  evidenceId: evidence.evidenceId,
  kind: evidence.kind,
  sentAt: jsonTime(evidence.sentAt),
  bytes: evidence.bytes,
  width: evidence.width,
  height: evidence.height,
  sha256: evidence.sha256,
  deletedAt: jsonTime(evidence.deletedAt),
});
