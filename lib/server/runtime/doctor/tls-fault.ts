const TRUST =
  'for a certificate authority of your own set NODE_EXTRA_CA_CERTS=/path/to/ca.pem in the environment of the process (Node reads it when it starts, so .env is too late); else the other side must send its intermediate certificates too'

/** By Node's codes for certificates and handshakes, in the order in which they are looked for. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/UNABLE_TO_|SELF_SIGNED_CERT/, `the issuer of the certificate is not known here: ${TRUST}`],
  [/CERT_HAS_EXPIRED/, 'the certificate has expired: renew it, or set the clock of this machine'],
  [/CERT_NOT_YET_VALID/, 'the certificate is not valid yet: set the clock of this machine'],
  [/CERT_ALTNAME_INVALID/, 'the certificate is for another name: use a name that is in it'],
  [/WRONG_VERSION_NUMBER|wrong version number/, 'that port does not speak TLS: use its https port, or http'],
  [/ERR_SSL_|ERR_TLS_|EPROTO|CERT_/, 'the two sides do not agree on TLS: see its version, ciphers and certificate'],
]

/** What to do where a connection failed for its TLS. Null where that is not why. */
export function tlsFix(reason: string): string | null {
  const [, fix] = FIXES.find(([code]) => code.test(reason)) ?? []
  return fix === undefined ? null : `this is a TLS failure; ${fix}`
}
