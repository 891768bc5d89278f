const EVERY_MS = 500

/** Calls `tell` once when the process that started this one has ended. @param parent its id now */
export function onParentGone(tell: () => void, parent: () => number = () => process.ppid, everyMs = EVERY_MS): void {
  const first = parent()
  const timer = setInterval(() => {
    if (parent() === first) return
    clearInterval(timer)
    tell()
  }, everyMs)
  timer.unref()
}
