/** The texts of a call that are kept for people: without secrets, and only their beginnings. */

/** UTF-8 bytes. */
const MOST_BYTES = 4096
/** No secret is longer, so that one that is cut by the limit is struck too. */
const MOST_SECRET = 4096
const STRUCK = '[struck]'

/**
 * The beginning of a body as text that every database can store, at most 4 kB, in which `secrets` are struck. What is
 * not UTF-8 becomes U+FFFD.
 */
export function keptText(body: Uint8Array | string, secrets: readonly string[]): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const readable = Buffer.from(bytes.subarray(0, MOST_BYTES + MOST_SECRET)).toString('utf8')
  const struck = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, STRUCK), readable)
    .replaceAll('\0', '\uFFFD')
  const whole = Buffer.from(struck)
  if (whole.length <= MOST_BYTES) return struck
  // A character that the limit cuts is left out.
  let end = MOST_BYTES
  while (((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return whole.subarray(0, end).toString('utf8')
}
