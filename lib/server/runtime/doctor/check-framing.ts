import type { Config } from '../config/config.ts'
import { configWarnings } from '../config/config.ts'
import { fault, note, ok, reasonOf, warningFinding, type Finding } from './finding.ts'
import { tlsFix } from './tls-fault.ts'

export interface CheckFramingOptions {
  readonly config: Config
  readonly fetch: typeof globalThis.fetch
}

const ABOUT = 'framing'

/** Checks the headers at PUBLIC_URL: a proxy in front may have changed them. */
function checkHeaders(headers: Headers, { embedOrigins, publicUrl }: Config): readonly Finding[] {
  const found: Finding[] = []
  const ancestors = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]?.split(' ') ?? []
  const missing = embedOrigins.filter((origin) => !ancestors.includes(origin))
  if (missing.length > 0) {
    found.push(
      fault(
        ABOUT,
        `the page at PUBLIC_URL may not be framed by ${missing.join(', ')}`,
        'restart the cashier with these EMBED_ORIGINS; if you have done so, a proxy changes Content-Security-Policy: let that header pass',
      ),
    )
  }
  if (headers.has('x-frame-options')) {
    found.push(
      fault(
        ABOUT,
        `a proxy adds X-Frame-Options: ${String(headers.get('x-frame-options'))}, which forbids every frame`,
        'remove that header in the proxy; frame-ancestors decides who may frame the cashier',
      ),
    )
  }
  if (publicUrl.startsWith('https:') && !headers.has('strict-transport-security')) {
    found.push(note(ABOUT, 'a proxy removes Strict-Transport-Security'))
  }
  return found
}

/** Checks who may frame the cashier, and that the headers reach browsers through the proxies in front of it. */
export async function checkFraming({ config, fetch }: CheckFramingOptions): Promise<readonly Finding[]> {
  const { publicUrl, embedOrigins } = config
  const found: Finding[] = configWarnings(config).map((warning) => warningFinding(ABOUT, warning))
  if (embedOrigins.length > 0) {
    found.push(ok(ABOUT, `these may frame the cashier: ${embedOrigins.join(', ')}`))
    if (Object.keys(config.withdrawalConfirmAbove).length === 0)
      found.push(
        note(
          ABOUT,
          'WITHDRAWAL_CONFIRM_ABOVE is not set: Firefox and Safari do not report what covers a button, so in these browsers only the list of origins protects the button of a withdrawal',
        ),
      )
  }
  try {
    const options = { redirect: 'manual', signal: AbortSignal.timeout(5000) } as const
    const response = await fetch(`${publicUrl}/embed`, options)
    await response.body?.cancel()
    if (response.status !== 200) {
      return [
        ...found,
        fault(
          ABOUT,
          `${publicUrl}/embed answers ${response.status}`,
          'PUBLIC_URL must be the origin that users open, and be served by the cashier itself: check the proxy in front',
        ),
      ]
    }
    const broken = checkHeaders(response.headers, config)
    return [
      ...found,
      ...(broken.length > 0 ? broken : [ok(ABOUT, `${publicUrl}/embed answers with the right headers`)]),
    ]
  } catch (error) {
    const why = reasonOf(error)
    const fix = tlsFix(why)
    return [
      ...found,
      fix !== null
        ? fault(ABOUT, `${publicUrl} cannot be read (${why})`, fix)
        : note(
            ABOUT,
            `nothing answers at ${publicUrl} (${why}): start the cashier and run this again to check what browsers receive`,
          ),
    ]
  }
}
