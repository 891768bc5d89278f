import type { HeaderReader } from './http/inbound-request.ts'
import type { Log } from './log.ts'

/** Anybody can send such calls, so no more origins are logged. */
const MOST_ORIGINS = 20
const MOST_LETTERS = 200

/** The origin of the page that frames `/embed`, by the headers of the browser; null: none, or not told. */
function framingOrigin(headers: HeaderReader): string | null {
  if (headers.get('sec-fetch-dest') !== 'iframe') return null
  const referrer = headers.get('referer') ?? ''
  return URL.canParse(referrer) ? new URL(referrer).origin : null
}

/** Logs each origin once that tries to frame the cashier and that `EMBED_ORIGINS` lacks: its browsers refuse the frame. */
export function createFramingWarnings(embedOrigins: readonly string[], log: Pick<Log, 'warn'>) {
  const logged = new Set<string>()
  return (headers: HeaderReader): void => {
    const origin = framingOrigin(headers)
    if (origin === null || embedOrigins.includes(origin) || logged.has(origin) || logged.size >= MOST_ORIGINS) return
    logged.add(origin)
    log.warn(
      { origin: origin.slice(0, MOST_LETTERS) },
      'browsers refuse the frame on this origin: EMBED_ORIGINS lacks it',
    )
  }
}
