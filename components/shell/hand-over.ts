/** Hands files and links to a host that takes them: an app around the merchant's page may do neither by itself. */
import { LINK } from '#lib/contract/embed-limits.ts'
import type { FrameMessage, Unsealed } from '#lib/contract/embed-protocol.ts'
import { giveFilesTo } from '#lib/browser/save-file.ts'

type Send = (message: Unsealed<FrameMessage>) => void

function taken(windowName: string): readonly unknown[] {
  try {
    const { takes } = JSON.parse(windowName) as { readonly takes?: unknown }
    return Array.isArray(takes) ? takes : []
  } catch {
    return []
  }
}

/** @param windowName the frame's, in which the host says what it takes. Returns a function that ends it. */
export function startHandOver(windowName: string, send: Send): () => void {
  const takes = taken(windowName)
  const stops: (() => void)[] = []
  if (takes.includes('file')) stops.push(giveFilesTo((content, name) => send({ type: 'file', name, content })))
  if (takes.includes('link')) {
    const press = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[target=_blank]') : null
      if (link === null || event.defaultPrevented || !LINK.test(link.href)) return
      event.preventDefault()
      send({ type: 'link', url: link.href })
    }
    document.addEventListener('click', press)
    stops.push(() => document.removeEventListener('click', press))
  }
  return () => {
    for (const stop of stops) stop()
  }
}
