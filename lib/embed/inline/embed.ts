/** The script of /embed. */
import { browserTimeZone } from '../frame/browser-time-zone.ts'
import { openFrameBridge, type FrameBridge } from '../frame/frame-bridge.ts'
import { isRecord, matches } from '../frame/read-host-message.ts'
import { writePage } from '../frame/write-page.ts'
import { PAGE_NONCE } from '#lib/contract/embed-limits.ts'

type State = 'loading' | 'failed' | 'alone'
/** The texts of the page in one language, by state and for the button. */
type Texts = Readonly<Record<State | 'retry', string>>
type Appearance = FrameBridge['appearance']

const root = document.documentElement
/** Of a session's page. */
const PATH = /^\/c\/[\w/-]+$/

/** The known language for the first wanted tag that matches one, as a whole or by its first part. */
function bestLanguage(known: readonly string[], wanted: readonly string[]): string {
  const first = (tag: string): string => tag.toLowerCase().split('-')[0] ?? ''
  for (const tag of wanted) {
    const found =
      known.find((one) => one.toLowerCase() === tag.toLowerCase()) ?? known.find((one) => first(one) === first(tag))
    if (found !== undefined) return found
  }
  return 'en'
}

/** The nonce of this document, by which the session's page may be written into it. */
const nonce = document.currentScript?.nonce ?? ''

/** The time without a launch token after which the line is free for a script. */
const PRELOAD_MS = 1000
/** A launch without an answer then offers to try again. An answer that comes later is used all the same. */
const LATE_MS = 15_000
/** Of this page: the session's page, which takes its place in the document, has others. */
const link = document.querySelector('link')
/** Loads the page's preload now. */
const preload = (): void => link?.removeAttribute('media')

/** The session's page as it comes, or its path alone, or the problem's code; null without a readable response. */
async function postToken(
  fields: Readonly<Record<string, string | undefined>>,
): Promise<{ location?: string; page?: ReadableStream<Uint8Array> | null; code?: unknown } | null> {
  const body = new URLSearchParams()
  for (const [field, value] of Object.entries(fields)) if (value !== undefined) body.set(field, value)
  try {
    const headers = { accept: 'application/json', [PAGE_NONCE]: nonce }
    const asked = fetch('/launch', { method: 'POST', headers, body })
    // After the launch, which so gets the open connection.
    preload()
    const response = await asked
    const path = response.headers.get('content-location')
    if (matches(path, PATH)) return { location: path, page: response.ok ? response.body : null }
    const answer: unknown = await response.json()
    if (!isRecord(answer)) return null
    return matches(answer['location'], PATH) ? { location: answer['location'] } : { code: answer['code'] }
  } catch {
    return null
  }
}

/** Tells the user without a host what to do, with a text of the message catalogue. */
function addAdvice(): void {
  fetch(`/messages/${root.lang}`)
    .then((response) => response.json())
    .then((answer: unknown) => {
      const messages = isRecord(answer) && answer['messages']
      if (isRecord(messages)) document.getElementById('again')?.append(String(messages['problem.sessionEnded.again']))
    })
    .catch(() => undefined)
}

/**
 * Requests the launch token from the host, posts it from our own origin, and shows the session's page. The frame's URL
 * is replaced, so that the history of the merchant's page gets no entry. Without a host it tells the user what to do.
 * @param origins origins that may embed this frame
 * @param texts by language tag; must have `en`
 * @param rightToLeft tags of `texts` whose language is written from right to left
 */
export default function embed(
  origins: readonly string[],
  texts: Readonly<Record<string, Texts>>,
  rightToLeft: readonly string[],
): void {
  const bridge = openFrameBridge(window, origins)
  const retry = document.getElementById('retry')
  let appearance: Appearance = bridge?.appearance ?? {}

  const show = (state: State): void => {
    root.dataset['state'] = state
    const shown = texts[root.lang]
    const status = document.getElementById('status')
    if (status && shown) status.textContent = shown[state]
    if (retry && shown) retry.textContent = shown.retry
  }

  const appear = (state: State): void => {
    const { locale, theme } = appearance
    root.lang = bestLanguage(Object.keys(texts), [...(locale === undefined ? [] : [locale]), ...navigator.languages])
    root.dir = rightToLeft.includes(root.lang) ? 'rtl' : 'ltr'
    if (theme) root.dataset['theme'] = theme
    show(state)
  }

  if (!bridge) {
    appear('alone')
    addAdvice()
    return
  }

  /** Set until a token comes. If the frame was moved while a token was made, the answer to that request comes here too. */
  let wanted = false
  const requestToken = (): void => {
    wanted = true
    show('loading')
    bridge.send({ type: 'token_wanted' })
  }

  let launches = 0
  const launch = async (token: string, { locale, theme }: Appearance): Promise<void> => {
    const turn = (launches += 1)
    const late = setTimeout(() => show('failed'), LATE_MS)
    const answer = await postToken({ launch_token: token, locale, theme, time_zone: browserTimeZone() })
    clearTimeout(late)
    // The document was in the back/forward cache meanwhile and has launched again: it holds one page.
    if (turn !== launches) return void answer?.page?.cancel()
    if (answer?.location !== undefined) {
      if (answer.page) await writePage(answer.location, answer.page)
      else location.replace(answer.location)
      return
    }
    show('failed')
    if (answer?.code === 'session_ended')
      bridge.send({ type: 'error', code: 'token_used', message: 'The launch token was used before or has expired.' })
    else if (answer?.code === 'unauthenticated')
      bridge.send({ type: 'error', code: 'token_failed', message: 'This is not a launch token of this cashier.' })
    else bridge.send({ type: 'error', code: 'failed', message: 'The cashier could not be opened.' })
  }

  appear('loading')
  retry?.addEventListener('click', requestToken)
  bridge.listen((message) => {
    if (message.type === 'token_failed') show('failed')
    if (message.type === 'token' && wanted) {
      wanted = false
      void launch(message.token, message)
    }
    if (message.type === 'update') {
      const { locale, theme } = message
      appearance = { ...appearance, ...(locale !== undefined && { locale }), ...(theme !== undefined && { theme }) }
      appear(root.dataset['state'] as State)
    }
  })
  // A page from the back/forward cache needs a new launch token: the old one has been used.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) requestToken()
  })
  requestToken()
  setTimeout(preload, PRELOAD_MS)
}
