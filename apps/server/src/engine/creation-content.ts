import { hash } from 'node:crypto';
import { type CreateOrder, type readCreation, termsText } from '@munshi/core';

/** What a reading of a creation is to the engine: with the digest of its terms where it is valid. */
export const creationContent = (
  reading: ReturnType<typeof readCreation>,
): CreateOrder['content'] =>
  reading.kind === 'valid'
    ? { ...reading, termsDigest: hash('sha256', termsText(reading.message)).slice(0, 32) }
    : reading;
