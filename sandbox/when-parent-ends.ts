const EVERY_MS = 500

/**
 * Calls `tell` once when the parent process has ended. npm's shell does not pass signals on, so under `npm run` this is
 * how the sandbox notices a stop.
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
