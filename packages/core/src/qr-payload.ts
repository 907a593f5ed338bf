/**
 * The time to draw a code grows with the square of its content. Wallets use a third of this
 * (page.md#the-link).
 */
export const QR_PAYLOAD_BYTES_MAX = 512;

/** What is wrong with the content of an account's QR code; undefined if nothing. */
export function wrongQrPayload(payload: string): string | undefined {
  const bytes = new TextEncoder().encode(payload).length;
  return bytes > QR_PAYLOAD_BYTES_MAX
    ? `must have at most ${QR_PAYLOAD_BYTES_MAX} bytes of UTF-8; it has ${bytes}.`
    : undefined;
}
