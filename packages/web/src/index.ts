/** What the web apps share without a view library: it knows browsers' fetch and no document. */
export {
  ALERT_EVENTS,
  type DisplayNames,
  type EventType,
  feeRank,
  hasLetteredIds,
  methodDisplayName,
  providerDisplayName,
} from '@munshi/core';
export * from './client.ts';
export * from './events.ts';
export * from './field-name.ts';
export * from './money.ts';
export * from './qr.ts';
export * from './signature-check.ts';
export * from './time.ts';
