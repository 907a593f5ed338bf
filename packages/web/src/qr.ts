/**
 * What a QR code of an account holds and what of it does not fit, for the person who adds the
 * account: the service shows operators the same.
 */
export { QR_PAYLOAD_BYTES_MAX, qrWarnings, readQrContent } from '@munshi/core';
