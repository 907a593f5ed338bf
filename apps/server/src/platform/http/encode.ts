import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** The better of what the browser takes (RFC 9110 12.5.3); undefined for one that takes neither. */
export function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  const accepted = new Set<string>();
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', quality = ''] = part.split(';');
    if (!/q=0(\.0*)?\s*$/.test(quality)) accepted.add(name.trim());
  }
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : undefined;
}

/** `lasting`: as small as possible, for content that is encoded once and served many times. */
export function encode(content: Buffer, encoding: Encoding, lasting = false): Buffer {
  if (encoding === 'gzip') return gzipSync(content, { level: lasting ? 9 : 6 });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: lasting ? 11 : 6,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return brotliCompressSync(content, { params });
}

/** A strong ETag of content. */
export const etagOf = (content: Buffer): string =>
  `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
