const EVERY_MS = 500

/**
 * Calls `tell` once when the process that started this one has ended. npm's shell passes no signal on: below
 * `npm run`, that is how a stop is noticed.
 */
export function whenParentEnds(tell: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    tell()
  }, EVERY_MS)
  timer.unref()
}
