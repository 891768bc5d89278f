import { whenParentEnds } from '../when-parent-ends.ts'

/** Aborted by Ctrl+C, SIGTERM, or the end of npm's shell, so that a command can undo what it changed. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  const stop = (): void => {
    stopping.abort()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  if (process.env['npm_lifecycle_event'] === 'sandbox') whenParentEnds(stop)
  return stopping.signal
}
