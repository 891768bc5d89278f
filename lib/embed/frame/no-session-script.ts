/** The script of a page without its session. It is sent to the browser as its own source text, so it may use nothing from outside itself. */
import type { FrameMessage, HostMessage, Unsealed } from '#lib/contract/embed-protocol.ts'

/**
 * In a frame of the merchant's page: says that the session has ended, or asks for a token that opens the cashier in a
 * tab of its own where the browser blocks the cookie. At top level, or in another site's frame, it does nothing.
 * @param origins which may hold this frame
 * @param texts by message key, in the language of the page
 * @param blocked the browser may block the cookie
 * @param mostHeight of a frame, in CSS pixels
 */
export function noSessionFrame(
  origins: readonly string[],
  texts: Readonly<Record<string, unknown>>,
  blocked: boolean,
  mostHeight: number,
): void {
  /** A launch token is valid for five minutes; the link is renewed before that. */
  const RENEWAL_MS = 240_000
  const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  const matching = (value: unknown, pattern: RegExp): string | undefined =>
    typeof value === 'string' && pattern.test(value) ? value : undefined
  if (window.parent === window) return
  const root = document.documentElement
  root.dataset['framed'] = ''

  const readName = (): unknown => {
    try {
      return JSON.parse(window.name)
    } catch {
      return null
    }
  }
  const name = readName()
  if (!isRecord(name) || name['cashier'] !== 1) return
  const channel = matching(name['channel'], /^[0-9a-f]{32}$/)
  const origin = origins.find((one) => one === name['origin'])
  if (channel === undefined || origin === undefined) return

  let shown = texts
  /** What the tab of its own is opened with. */
  const query: Record<'token' | 'locale' | 'theme', string | undefined> = {
    token: undefined,
    locale: undefined,
    theme: undefined,
  }
  const send = (message: Unsealed<FrameMessage>): void =>
    window.parent.postMessage({ ...message, cashier: 1, channel }, origin)
  const show = (element: HTMLElement): void => {
    const text = shown[element.dataset['text'] ?? '']
    if (typeof text === 'string') element.textContent = text
  }
  /** What the element with this id says from now on. */
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
      // A later language was asked for meanwhile.
      if (query.locale !== tag) return
      shown = catalogue['messages']
      root.lang = matching(catalogue['locale'], /^[A-Za-z-]+$/) ?? root.lang
      root.dir = matching(catalogue['direction'], /^(ltr|rtl)$/) ?? root.dir
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
  const appear = (data: Readonly<Record<string, unknown>>): void => {
    const locale = matching(data['locale'], /^[A-Za-z0-9-]{1,35}$/)
    const theme = matching(data['theme'], /^(light|dark|auto)$/)
    if (theme !== undefined) query.theme = root.dataset['theme'] = theme
    const before = query.locale ?? root.lang
    if (locale !== undefined && (query.locale = locale) !== before) void translate(locale)
    if (query.token !== undefined) offer(query.token)
  }
  const requestToken = (): void => send({ type: 'fresh_token_wanted' })

  window.addEventListener('message', ({ source, origin: from, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || from !== origin || !isRecord(data)) return
    if (data['cashier'] !== 1 || data['channel'] !== channel) return
    const type = data['type'] as HostMessage['type']
    const token = matching(data['token'], /^[!-~]{1,2048}$/)
    if (type === 'update') appear(data)
    if (!blocked) return
    if (type === 'fresh_token' && token !== undefined) {
      appear(data)
      offer(token)
    }
    if (type === 'token_failed') {
      offer(undefined)
      say('status', 'problem.cookies.failed')
    }
  })
  appear(name)
  new ResizeObserver(() => {
    // Hidden by the merchant's page.
    if (window.innerWidth === 0) return
    const height = Math.ceil(document.body.getBoundingClientRect().height)
    send({ type: 'resize', height: Math.min(Math.max(1, height), mostHeight) })
  }).observe(document.body)
  if (!blocked) {
    say('again', 'problem.sessionEnded.reopening')
    send({ type: 'session_ended' })
    return
  }
  // A token works once, and opening the link uses it: whoever comes back finds another link.
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
