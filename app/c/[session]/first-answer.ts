/** What a page waits for: the frame of the page leaves at once, its data follows in the same answer. */

/** Data that is there by then comes with the frame, in one piece. */
const QUICK_MS = 100
/** Data that is not there by then is left to the page, which asks by itself. */
const LATEST_MS = 2000

function within<T, E>(promise: Promise<T>, ms: number, otherwise: E): Promise<T | E> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<E>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

/** Of data that is being loaded: itself where it is quick, else a promise that is kept in time for the same answer. */
export async function forFirstAnswer<T>(loading: Promise<T>, missing: T): Promise<{ readonly is: T | Promise<T> }> {
  const inTime = within(loading, LATEST_MS, missing)
  const quick = await within(inTime, QUICK_MS, null)
  // In an object, since an async function waits for a promise that it returns.
  return { is: quick ?? inTime }
}
