/** The stream that tells what has changed, while somebody looks at the page. */
import { changedEvent, type ChangedEvent } from '#lib/contract/operate/live.ts'

export interface ConsoleEvents {
  /** Something has changed. */
  readonly onChange: (change: ChangedEvent) => void
  /** From now on every change is told; what was read before may be old. */
  readonly onReady: () => void
  /** It was refused, or has ended for good. */
  readonly onRefused: () => void
}

const AGAIN_MS = 15_000

const readChange = (data: string): ChangedEvent | null => {
  try {
    return changedEvent.safeParse(JSON.parse(data)).data ?? null
  } catch {
    return null
  }
}

/** Returns a function that ends it. A page that nobody sees lets the stream go, and asks for everything afterwards. */
export function openConsoleEvents({ onChange, onReady, onRefused }: ConsoleEvents): () => void {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const close = (): void => {
    clearTimeout(timer)
    source?.close()
    source = null
  }
  const open = (): void => {
    close()
    const opened = new EventSource('/api/operate/events')
    source = opened
    opened.addEventListener('ready', onReady)
    opened.addEventListener('changed', ({ data }) => {
      const change = readChange(String(data))
      if (change !== null) onChange(change)
    })
    opened.onerror = () => {
      // The browser tries again by itself, unless the answer was a refusal.
      if (opened.readyState !== EventSource.CLOSED) return
      onRefused()
      timer = setTimeout(open, AGAIN_MS)
    }
  }
  const follow = (): void => {
    if (document.visibilityState === 'hidden') close()
    else if (source === null) open()
  }
  document.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    close()
  }
}
