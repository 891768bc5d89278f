/** The script of a page without its session. */
import { openFrameBridge, reportHeight, type FrameBridge } from '../frame/frame-bridge.ts'
import { isRecord, matches } from '../frame/read-host-message.ts'

type Appearance = FrameBridge['appearance']
/** By message key, in the language of the page. */
type Texts = Readonly<Record<string, unknown>>

/** A launch token is valid for five minutes; the link is renewed before that. */
const RENEWAL_MS = 240_000

/**
 * In a frame of the merchant's page: tells the host that the session has ended or, if the browser blocks the cookie,
 * requests a token for a link that opens the cashier in a new tab. Outside a frame, or in another site's frame, it does
 * nothing.
 * @param origins origins that may embed this frame
 * @param blocked the browser may block the cookie
 */
export default function noSession(origins: readonly string[], texts: Texts, blocked: boolean): void {
  if (window.parent === window) return
  const root = document.documentElement
  root.dataset['framed'] = ''
  const bridge = openFrameBridge(window, origins)
  if (!bridge) return

  let shown = texts
  /** The parameters of the link to the new tab. */
  const query: Record<'token' | 'locale' | 'theme', string | undefined> = {
    token: undefined,
    locale: undefined,
    theme: undefined,
  }
  const show = (element: HTMLElement): void => {
    const text = shown[element.dataset['text'] ?? '']
    if (typeof text === 'string') element.textContent = text
  }
  /** Sets the text of the element with this id. */
  const say = (id: string, key: string): void => {
    const element = document.getElementById(id)
    if (element === null) return
    element.dataset['text'] = key
    show(element)
  }
  const translate = async (tag: string): Promise<void> => {
    try {
      const response = await fetch(`/messages/${tag}`)
      const catalogue: unknown = response.ok ? await response.json() : null
      if (!isRecord(catalogue) || !isRecord(catalogue['messages'])) return
      // The merchant's page has set another language meanwhile.
      if (query.locale !== tag) return
      shown = catalogue['messages']
      if (matches(catalogue['locale'], /^[A-Za-z-]+$/)) root.lang = catalogue['locale']
      if (matches(catalogue['direction'], /^(ltr|rtl)$/)) root.dir = catalogue['direction']
      document.querySelectorAll<HTMLElement>('[data-text]').forEach(show)
    } catch {
      // The page keeps its language.
    }
  }
  const offer = (token: string | undefined): void => {
    const link = document.getElementById('open')
    const status = document.getElementById('status')
    if (link) link.hidden = token === undefined
    if (status) status.hidden = token !== undefined
    query.token = token
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    if (token !== undefined) link?.setAttribute('href', `/launch?${pairs.join('&')}`)
  }
  const appear = ({ locale, theme }: Appearance): void => {
    if (theme !== undefined) query.theme = root.dataset['theme'] = theme
    const before = query.locale ?? root.lang
    if (locale !== undefined && (query.locale = locale) !== before) void translate(locale)
    if (query.token !== undefined) offer(query.token)
  }
  const requestToken = (): void => bridge.send({ type: 'fresh_token_wanted' })

  bridge.listen((message) => {
    if (message.type === 'update') appear(message)
    if (!blocked) return
    if (message.type === 'fresh_token') {
      appear(message)
      offer(message.token)
    }
    if (message.type === 'token_failed') {
      offer(undefined)
      say('status', 'problem.cookies.failed')
    }
  })
  appear(bridge.appearance)
  reportHeight(bridge)
  if (!blocked) {
    say('again', 'problem.sessionEnded.reopening')
    bridge.send({ type: 'session_ended' })
    return
  }
  // A token works once and the open link uses it, so a user who comes back needs a new link.
  document.getElementById('open')?.addEventListener('click', () => {
    setTimeout(() => {
      offer(undefined)
      say('status', 'problem.cookies.waiting')
      requestToken()
    })
  })
  requestToken()
  setInterval(requestToken, RENEWAL_MS)
}
