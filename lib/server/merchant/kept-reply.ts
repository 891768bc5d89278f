/** What is kept of the merchant's reply to a webhook: the beginning, without secrets. */

/** The most characters of the headers, and of the body. */
const MOST_CHARACTERS = 2048
/** A secret that the cut would divide is longer than this in no case. */
const BEYOND_THE_CUT = 1024
/** A longer body is not read to its end, and the connection is not used again. */
const MOST_READ_BYTES = 64 * 1024

const STRUCK = '[struck]'
const SECRET_HEADER = /^(?:set-cookie2?|cookie|authorization|proxy-authorization|x-api-key)$/
const SIGNATURE_SECRET = /whsec_[A-Za-z0-9+/=_-]+/g

export interface KeptReply {
  /** One header in a line. */
  readonly head: string
  readonly body: string
}

/** PostgreSQL cannot store NUL. */
const storable = (text: string): string => text.replaceAll('\0', '\u{fffd}')

/**
 * Removes these secrets, and whatever looks like a signature secret: a page that a backend shows for an error may list
 * its whole environment.
 * @param secrets with or without `whsec_`
 */
export function strikeSecrets(text: string, secrets: readonly string[]): string {
  const bare = secrets.map((secret) => secret.replace(/^whsec_/, '')).filter((secret) => secret !== '')
  return bare.reduce((left, secret) => left.replaceAll(secret, STRUCK), text.replace(SIGNATURE_SECRET, STRUCK))
}

/** Reads the whole body, for the connection to be used again, and returns its beginning. Never rejects. */
async function beginningOf(response: Response, bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      if (size < bytes) chunks.push(chunk.subarray(0, bytes - size))
      size += chunk.length
      if (size > MOST_READ_BYTES) break
    }
  } catch {
    // The status has arrived, and only that counts.
  }
  return Buffer.concat(chunks)
}

export async function keptReply(response: Response, secrets: readonly string[]): Promise<KeptReply> {
  const head = [...response.headers].map(
    ([name, value]) => `${name}: ${SECRET_HEADER.test(name) ? STRUCK : strikeSecrets(value, secrets)}`,
  )
  const body = new TextDecoder().decode(await beginningOf(response, MOST_CHARACTERS + BEYOND_THE_CUT))
  return {
    head: storable(head.join('\n')).slice(0, MOST_CHARACTERS),
    body: storable(strikeSecrets(body, secrets)).slice(0, MOST_CHARACTERS),
  }
}
