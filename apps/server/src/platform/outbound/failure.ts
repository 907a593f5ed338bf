/** Why a call to another server failed, in sentences for merchants and operators. */

const WEAK = 'has a key or a signature that is too weak.';
const NO_CHAIN = 'sends a chain of certificates that is not valid.';
const NO_LIST = 'has a certificate that cannot be checked for revocation.';
const OTHER_NAME = 'has a certificate that is not for this host name.';
const NO_TLS = 'does not speak TLS on this port.';
const OLD_TLS = 'speaks no TLS 1.2 or 1.3.';
const REFUSES_TLS =
  'refuses the TLS handshake: it shares no cipher, or asks for a client certificate.';
const CLIENT_CERTIFICATE = 'asks for a client certificate, which is not sent.';

/** What a server does wrong, by Node's codes of certificates and OpenSSL's of TLS. */
const TLS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'sends no intermediate certificate: install the whole chain (fullchain.pem). With it, its authority is not a public one.',
  UNABLE_TO_GET_ISSUER_CERT:
    'sends an incomplete chain of certificates, or its authority is not a public one.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'sends an incomplete chain of certificates, or its authority is not a public one.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a self-signed certificate: it needs one of a public authority.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'has a certificate of a private authority: it needs one of a public authority.',
  CERT_UNTRUSTED: 'has a certificate of an authority that is not trusted.',
  CERT_REJECTED: 'has a certificate of an authority that is not trusted.',
  CERT_HAS_EXPIRED: 'has an expired certificate, or sends one in its chain.',
  CERT_NOT_YET_VALID: 'has a certificate that is not valid yet.',
  CERT_REVOKED: 'has a certificate that was revoked.',
  HOSTNAME_MISMATCH: OTHER_NAME,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  ERR_TLS_CERT_ALTNAME_FORMAT: OTHER_NAME,
  INVALID_PURPOSE: 'has a certificate that is not for servers.',
  CERT_CHAIN_TOO_LONG: NO_CHAIN,
  CERT_SIGNATURE_FAILURE: NO_CHAIN,
  ERROR_IN_CERT_NOT_AFTER_FIELD: NO_CHAIN,
  ERROR_IN_CERT_NOT_BEFORE_FIELD: NO_CHAIN,
  INVALID_CA: NO_CHAIN,
  PATH_LENGTH_EXCEEDED: NO_CHAIN,
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: NO_CHAIN,
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: NO_CHAIN,
  CRL_HAS_EXPIRED: NO_LIST,
  CRL_NOT_YET_VALID: NO_LIST,
  CRL_SIGNATURE_FAILURE: NO_LIST,
  ERROR_IN_CRL_LAST_UPDATE_FIELD: NO_LIST,
  ERROR_IN_CRL_NEXT_UPDATE_FIELD: NO_LIST,
  UNABLE_TO_DECRYPT_CRL_SIGNATURE: NO_LIST,
  UNABLE_TO_GET_CRL: NO_LIST,
  ERR_SSL_CA_KEY_TOO_SMALL: WEAK,
  ERR_SSL_CA_MD_TOO_WEAK: WEAK,
  ERR_SSL_DH_KEY_TOO_SMALL: WEAK,
  ERR_SSL_EE_KEY_TOO_SMALL: WEAK,
  ERR_TLS_DH_PARAM_SIZE: WEAK,
  ERR_SSL_HTTP_REQUEST: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OLD_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: OLD_TLS,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': REFUSES_TLS,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: REFUSES_TLS,
  ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY: REFUSES_TLS,
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: OTHER_NAME,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE,
  ERR_TLS_HANDSHAKE_TIMEOUT: 'does not finish the TLS handshake in time.',
};

const CLOSED = 'The connection was closed before an answer came.';
const NO_WAY = 'The network cannot be reached.';
const IN_VAIN = 'The connection was not accepted in time.';
const NO_NAME = 'The host name has no address.';

/** What happened on the way, by codes of the system, its resolver and undici. */
const WAY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: CLOSED,
  ECONNABORTED: CLOSED,
  ENETRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
  EHOSTDOWN: 'The host cannot be reached.',
  EHOSTUNREACH: 'The host cannot be reached.',
  EADDRNOTAVAIL: NO_WAY,
  ENETDOWN: NO_WAY,
  ENETUNREACH: NO_WAY,
  ETIMEDOUT: IN_VAIN,
  UND_ERR_CONNECT_TIMEOUT: IN_VAIN,
  EAI_AGAIN: 'The host name could not be looked up.',
  EDNS: NO_NAME,
  ENODATA: NO_NAME,
  ENOTFOUND: NO_NAME,
};

const OF_TLS = /^(ERR_TLS|ERR_SSL|EPROTO$|ETLS$|CERT_|UNABLE_TO|CRL_)/;
const NOT_HTTP = /^HPE_/;

interface Failure {
  readonly name: string;
  readonly code?: unknown;
  /** Nodemailer puts its own code over the system's. */
  readonly originalCode?: unknown;
}

/**
 * A failed call in one sentence, never in Node's words: these name its flags, and lines of OpenSSL.
 * A code without a sentence is named, so that it can be looked up.
 */
export function whyItFailed(failure: Failure, server = 'The receiver'): string {
  const { name, code: ownCode } = failure;
  if (name === 'TimeoutError') return IN_VAIN;
  const code = String(failure.originalCode ?? ownCode ?? '');
  if (TLS[code] !== undefined) return `${server} ${TLS[code]}`;
  if (WAY[code] !== undefined) return WAY[code];
  const named = code === '' ? '' : ` (${code})`;
  if (NOT_HTTP.test(code) || name === 'HTTPParserError') return `The answer is not HTTP${named}.`;
  return `The ${OF_TLS.test(code) ? 'TLS ' : ''}connection failed${named}.`;
}
