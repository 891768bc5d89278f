/** The script of /embed. It is sent to the browser as its own source text, so it may use nothing from outside itself. */
import type { FrameMessage, FrameName, HostMessage, Unsealed } from '#lib/contract/embed-protocol.ts'

export interface EmbedTexts {
  readonly loading: string
  readonly failed: string
  readonly retry: string
  /** At top level, or in a frame that our script did not make. */
  readonly alone: string
}

/**
 * Requests the launch token from the host and posts it as a form from our own origin.
 * @param origins which may hold this frame
 * @param texts by language tag; must have `en`
 * @param rightToLeft the tags of `texts` that are written from right to left
 */
export function embedFrame(
  origins: readonly string[],
  texts: Readonly<Record<string, EmbedTexts>>,
  rightToLeft: readonly string[],
): void {
  const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  const text = (value: unknown, pattern: RegExp): string | undefined =>
    typeof value === 'string' && pattern.test(value) ? value : undefined
  const theme = (value: unknown): string | undefined => text(value, /^(light|dark|auto)$/)
  const locale = (value: unknown): string | undefined => text(value, /^[A-Za-z0-9-]{1,35}$/)

  const readName = (): Pick<FrameName, 'channel' | 'origin'> & { locale?: string; theme?: string } => {
    let value: unknown = null
    try {
      value = JSON.parse(window.name)
    } catch {
      // Not a frame of our script: there is no host to talk to.
    }
    if (!isRecord(value) || value['cashier'] !== 1 || window.parent === window) return { channel: '', origin: '' }
    const origin = typeof value['origin'] === 'string' && origins.includes(value['origin']) ? value['origin'] : ''
    const appearance = { locale: locale(value['locale']) ?? '', theme: theme(value['theme']) ?? '' }
    return { channel: text(value['channel'], /^[0-9a-f]{32}$/) ?? '', origin, ...appearance }
  }

  const name = readName()
  const root = document.documentElement

  const language = (): string => {
    for (const tag of [name.locale ?? '', ...navigator.languages]) {
      const wanted = tag.toLowerCase()
      const known = Object.keys(texts)
      const first = (of: string): string => of.toLowerCase().split('-')[0] ?? ''
      const found =
        known.find((one) => one.toLowerCase() === wanted) ?? known.find((one) => first(one) === first(wanted))
      if (found !== undefined) return found
    }
    return 'en'
  }

  const show = (state: 'loading' | 'failed' | 'alone'): void => {
    root.dataset['state'] = state
    const text = texts[root.lang]?.[state]
    const status = document.getElementById('status')
    if (status && text !== undefined) status.textContent = text
  }

  const send = (message: Unsealed<FrameMessage>): void =>
    window.parent.postMessage({ ...message, cashier: 1, channel: name.channel }, name.origin)

  const requestToken = (): void => {
    show('loading')
    send({ type: 'token_wanted' })
  }

  const launch = (fields: Readonly<Record<string, string | undefined>>): void => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = '/launch'
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined) continue
      const input = document.createElement('input')
      input.type = 'hidden'
      input.name = field
      input.value = value
      form.append(input)
    }
    document.body.append(form)
    form.submit()
    form.remove()
  }

  const listen = (event: MessageEvent<unknown>): void => {
    const { data } = event
    if (event.source !== window.parent || event.origin !== name.origin || !isRecord(data)) return
    if (data['cashier'] !== 1 || data['channel'] !== name.channel) return
    const type = data['type'] as HostMessage['type']
    const token = text(data['token'], /^[!-~]{1,2048}$/)
    if (type === 'token_failed') show('failed')
    if (type !== 'token' || token === undefined) return
    launch({ launch_token: token, locale: locale(data['locale']), theme: theme(data['theme']) })
  }

  root.lang = language()
  root.dir = rightToLeft.includes(root.lang) ? 'rtl' : 'ltr'
  if (name.theme) root.dataset['theme'] = name.theme
  if (name.channel === '' || name.origin === '') {
    show('alone')
    return
  }
  const retry = document.getElementById('retry')
  if (retry) retry.textContent = texts[root.lang]?.retry ?? ''
  retry?.addEventListener('click', requestToken)
  window.addEventListener('message', listen)
  // Restored from the back/forward cache: its launch token has been used.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) requestToken()
  })
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'back_forward') {
    // The user navigates back, out of the cashier; another launch here would trap them. Without an earlier page in the
    // history this page is still here after a moment, and launches.
    show('loading')
    history.back()
    setTimeout(requestToken, 1000)
  } else {
    requestToken()
  }
}
