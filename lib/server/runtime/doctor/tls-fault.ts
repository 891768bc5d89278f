const TRUST =
  'for your own certificate authority set NODE_EXTRA_CA_CERTS=/path/to/ca.pem in the environment of the process (Node reads it at start, so .env is too late); else the other side must also send its intermediate certificates'

/** Fixes by Node's codes for certificates and handshakes; the first match counts. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/UNABLE_TO_|SELF_SIGNED_CERT/, `this machine does not know the issuer of the certificate: ${TRUST}`],
  [/CERT_HAS_EXPIRED/, 'the certificate has expired: renew it, or set the clock of this machine'],
  [/CERT_NOT_YET_VALID/, 'the certificate is not valid yet: set the clock of this machine'],
  [/CERT_ALTNAME_INVALID/, 'the certificate is for another name: use a name in the certificate'],
  [/WRONG_VERSION_NUMBER|wrong version number/, 'that port does not speak TLS: use its https port, or http'],
  [/ERR_SSL_|ERR_TLS_|EPROTO|CERT_/, 'the two sides do not agree on TLS: see its version, ciphers and certificate'],
]

/** The fix for a connection that failed for TLS reasons; null for any other reason. */
export function tlsFix(reason: string): string | null {
  const [, fix] = FIXES.find(([code]) => code.test(reason)) ?? []
  return fix === undefined ? null : `this is a TLS failure; ${fix}`
}
