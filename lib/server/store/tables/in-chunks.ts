/** SQLite limits the number of values in a query. */
const CHUNK = 500

/** Does the work for parts of a list. */
export async function inChunks<T>(all: Iterable<T>, work: (part: T[]) => Promise<unknown>): Promise<void> {
  const list = [...all]
  for (let at = 0; at < list.length; at += CHUNK) await work(list.slice(at, at + CHUNK))
}
