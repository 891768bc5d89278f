/** How long a response waits for data: the shell leaves within `QUICK_MS`, late data follows in the same response. */

/** Data that is ready by then is sent together with the shell. */
const QUICK_MS = 100
/** Data that is not ready by then is left out; the page requests it. */
const LATEST_MS = 2000

function within<T, E>(promise: Promise<T>, ms: number, otherwise: E): Promise<T | E> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<E>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/**
 * The data if it is ready within `QUICK_MS`, otherwise a promise that resolves in time for the same response: with
 * `missing` after `LATEST_MS`.
 */
export async function forFirstAnswer<T>(loading: Promise<T>, missing: T): Promise<{ readonly is: T | Promise<T> }> {
  const inTime = within(loading, LATEST_MS, missing)
  const quick = await within(inTime, QUICK_MS, null)
  // In an object, because an async function waits for a promise that it returns.
  return { is: quick ?? inTime }
}
