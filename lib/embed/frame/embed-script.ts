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
 * Without a host it says what to do, in the pages' own words. Else it requests the launch token from the host, posts it from our own origin, and becomes the session's page: its address is
 * replaced, so that the history of the merchant's page gets no entry.
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

  type State = 'loading' | 'failed' | 'alone'
  const retry = document.getElementById('retry')

  const show = (state: State): void => {
    root.dataset['state'] = state
    const shown = texts[root.lang]
    const status = document.getElementById('status')
    if (status && shown) status.textContent = shown[state]
    if (retry && shown) retry.textContent = shown.retry
  }

  const appear = (state: State): void => {
    root.lang = language()
    root.dir = rightToLeft.includes(root.lang) ? 'rtl' : 'ltr'
    if (name.theme) root.dataset['theme'] = name.theme
    show(state)
  }

  const send = (message: Unsealed<FrameMessage>): void =>
    window.parent.postMessage({ ...message, cashier: 1, channel: name.channel }, name.origin)

  const requestToken = (): void => {
    show('loading')
    send({ type: 'token_wanted' })
  }

  /** The path of the session's page, or the problem's code; null where there was no readable answer. */
  const postToken = async (
    fields: Readonly<Record<string, string | undefined>>,
  ): Promise<{ location?: string; code?: unknown } | null> => {
    const body = new URLSearchParams()
    for (const [field, value] of Object.entries(fields)) if (value !== undefined) body.set(field, value)
    try {
      const response = await fetch('/launch', { method: 'POST', headers: { accept: 'application/json' }, body })
      const answer: unknown = await response.json()
      if (!isRecord(answer)) return null
      const location = text(answer['location'], /^\/c\/[\w/-]+$/)
      return location === undefined ? { code: answer['code'] } : { location }
    } catch {
      return null
    }
  }

  const launch = async (fields: Readonly<Record<string, string | undefined>>): Promise<void> => {
    const answer = await postToken(fields)
    if (answer?.location !== undefined) {
      location.replace(answer.location)
      return
    }
    show('failed')
    if (answer?.code === 'session_ended')
      send({ type: 'error', code: 'token_used', message: 'The launch token was used before, or is too old.' })
    else if (answer?.code === 'unauthenticated')
      send({ type: 'error', code: 'token_failed', message: 'This is not a launch token of this cashier.' })
    else send({ type: 'error', code: 'failed', message: 'The cashier could not be opened.' })
  }

  const listen = (event: MessageEvent<unknown>): void => {
    const { data } = event
    if (event.source !== window.parent || event.origin !== name.origin || !isRecord(data)) return
    if (data['cashier'] !== 1 || data['channel'] !== name.channel) return
    const type = data['type'] as HostMessage['type']
    const token = text(data['token'], /^[!-~]{1,2048}$/)
    if (type === 'token_failed') show('failed')
    if (type === 'update') {
      name.locale = locale(data['locale']) ?? name.locale ?? ''
      name.theme = theme(data['theme']) ?? name.theme ?? ''
      appear(root.dataset['state'] as State)
    }
    if (type !== 'token' || token === undefined) return
    void launch({
      launch_token: token,
      locale: locale(data['locale']),
      theme: theme(data['theme']),
      time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
  }

  if (name.channel === '' || name.origin === '') {
    appear('alone')
    fetch(`/messages/${root.lang}`)
      .then((one) => one.json())
      .then((answer: unknown) => {
        const messages = isRecord(answer) && answer['messages']
        if (isRecord(messages)) document.getElementById('again')?.append(String(messages['problem.sessionEnded.again']))
      })
      .catch(() => undefined)
    return
  }
  appear('loading')
  retry?.addEventListener('click', requestToken)
  window.addEventListener('message', listen)
  // Restored from the back/forward cache: its launch token has been used.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) requestToken()
  })
  requestToken()
}
