import { getSystemErrorMap } from 'node:util';
import { describe, expect, test } from 'vitest';
import { whyItFailed } from './failure.ts';

const failure = (code: unknown, message = 'raw words of Node, --use-system-ca') =>
  Object.assign(new Error(message), { code });

/** Node's documentation of TLS, "X509 certificate error codes". */
const CERTIFICATES = [
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_CRL',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'CERT_SIGNATURE_FAILURE',
  'CRL_SIGNATURE_FAILURE',
  'CERT_NOT_YET_VALID',
  'CERT_HAS_EXPIRED',
  'CRL_NOT_YET_VALID',
  'CRL_HAS_EXPIRED',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CRL_LAST_UPDATE_FIELD',
  'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_CHAIN_TOO_LONG',
  'CERT_REVOKED',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
  'INVALID_PURPOSE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'HOSTNAME_MISMATCH',
];

describe('why a call failed', () => {
  test.each([
    [
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'The receiver sends no intermediate certificate: install the whole chain (fullchain.pem). With it, its authority is not a public one.',
    ],
    ['CERT_HAS_EXPIRED', 'The receiver has an expired certificate, or sends one in its chain.'],
    [
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'The receiver has a certificate that is not for this host name.',
    ],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'The receiver does not speak TLS on this port.'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'The receiver speaks no TLS 1.2 or 1.3.'],
    ['ECONNREFUSED', 'The connection was refused.'],
    ['ENOTFOUND', 'The host name has no address.'],
    ['HPE_INVALID_CONSTANT', 'The answer is not HTTP (HPE_INVALID_CONSTANT).'],
    ['ERR_TLS_XYZ', 'The TLS connection failed (ERR_TLS_XYZ).'],
    ['ERR_SSL_XYZ', 'The TLS connection failed (ERR_SSL_XYZ).'],
    ['EPROTO', 'The TLS connection failed (EPROTO).'],
    ['EXYZ', 'The connection failed (EXYZ).'],
    [undefined, 'The connection failed.'],
  ])('%s: %s', (code, sentence) => {
    expect(whyItFailed(failure(code))).toBe(sentence);
  });

  test('the server is named as the reader knows it', () => {
    expect(whyItFailed(failure('CERT_REVOKED'), 'The mail server')).toBe(
      'The mail server has a certificate that was revoked.',
    );
  });

  test('of two codes the one of the system counts', () => {
    const failed = Object.assign(failure('ESOCKET'), { originalCode: 'ECONNREFUSED' });
    expect(whyItFailed(failed)).toBe('The connection was refused.');
  });

  test('a time limit that is over is no code', () => {
    const over = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
    expect(whyItFailed(over)).toBe('The connection was not accepted in time.');
  });

  test.each(CERTIFICATES)('%s has a sentence of its own', (code) => {
    expect(whyItFailed(failure(code))).toMatch(/^The receiver (has|sends) .*\.$/);
  });

  test('no code of the system shows the words of Node', () => {
    for (const [name, message] of getSystemErrorMap().values())
      expect(whyItFailed(failure(name, message))).toMatch(/^The [^-]*\.$/);
  });
});
