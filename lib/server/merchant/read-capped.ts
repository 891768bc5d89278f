/** The reply has more bytes than are read. */
class TooLargeError extends Error {
  override readonly name = 'TooLargeError'
}

/** A reply's bytes, or a `TooLargeError` above `limit`; the rest is not waited for. */
export async function readCapped(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > limit) throw new TooLargeError(`more than ${limit} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
