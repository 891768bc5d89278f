/** What runs in /embed. It is sent to the browser by its own source text, so it may use nothing from outside itself. */
import type { FrameMessage, FrameName, HostMessage, Unsealed } from '#lib/contract/embed.ts'

export interface EmbedTexts {
  readonly loading: string
  readonly failed: string
  readonly retry: string
  /** Where the page was opened by itself, or in a frame that no script of ours made. */
  readonly alone: string
}

/**
 * Tells the host that it may send the launch token, takes it, and posts it as a form from our own origin.
 * @param origins which may hold this frame
 * @param texts by language tag; must have `en`
 */
export function embedFrame(origins: readonly string[], texts: Readonly<Record<string, EmbedTexts>>): void {
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
      // No name of ours: nobody to speak with.
    }
    if (!isRecord(value) || value['cashier'] !== 1 || window.parent === window) return { channel: '', origin: '' }
    const origin = typeof value['origin'] === 'string' && origins.includes(value['origin']) ? value['origin'] : ''
    const looks = { locale: locale(value['locale']) ?? '', theme: theme(value['theme']) ?? '' }
    return { channel: text(value['channel'], /^[0-9a-f]{32}$/) ?? '', origin, ...looks }
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
    const words = texts[root.lang]?.[state]
    const status = document.getElementById('status')
    if (status && words !== undefined) status.textContent = words
  }

  const tell = (message: Unsealed<FrameMessage>): void =>
    window.parent.postMessage({ ...message, cashier: 1, channel: name.channel }, name.origin)

  const ask = (): void => {
    show('loading')
    tell({ type: 'token_wanted' })
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
    const said = event.data
    if (event.source !== window.parent || event.origin !== name.origin || !isRecord(said)) return
    if (said['cashier'] !== 1 || said['channel'] !== name.channel) return
    const type = said['type'] as HostMessage['type']
    const token = text(said['token'], /^[!-~]{1,2048}$/)
    if (type === 'token_failed') show('failed')
    if (type !== 'token' || token === undefined) return
    launch({ launch_token: token, locale: locale(said['locale']), theme: theme(said['theme']) })
  }

  root.lang = language()
  root.dir = root.lang === 'ar' ? 'rtl' : 'ltr'
  if (name.theme) root.dataset['theme'] = name.theme
  if (name.channel === '' || name.origin === '') {
    show('alone')
    return
  }
  const retry = document.getElementById('retry')
  if (retry) retry.textContent = texts[root.lang]?.retry ?? ''
  retry?.addEventListener('click', ask)
  window.addEventListener('message', listen)
  // The merchant's page comes back as the browser kept it: the token of that time is spent.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) ask()
  })
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'back_forward') {
    // Somebody goes back, out of the cashier, and would be caught here by another launch. Where no page lies before
    // the merchant's, we are still here in a moment.
    show('loading')
    history.back()
    setTimeout(ask, 1000)
  } else {
    ask()
  }
}
