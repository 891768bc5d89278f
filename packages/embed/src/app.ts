import { mountLater } from './mount-later.ts'
import type { CashierAppearance, CashierEvent, CashierFile, MountedCashier } from './script.ts'

/** What the page sends to the app, as JSON text, beside the events of `onEvent` as they are. */
export type MessageToApp = { readonly cashier: 1 } & (
  | CashierEvent
  /** Answer with `token` or `token_failed` and the same `id`. */
  | { readonly type: 'token_wanted'; readonly id: string }
  /** Open it outside the web view, if it is one of https or of a wallet (`bitcoin:`). */
  | { readonly type: 'link'; readonly url: string }
  /** One of the `parts` of a file, in order: base64 that may be joined. */
  | {
      readonly type: 'file'
      readonly id: string
      readonly name: string
      readonly mime: string
      readonly part: number
      readonly parts: number
      readonly data: string
    }
)

/** What the app sends to the page, as JSON text. */
export type MessageFromApp =
  | { readonly type: 'token'; readonly id: string; readonly token: string }
  | { readonly type: 'token_failed'; readonly id: string }
  | ({ readonly type: 'update' } & CashierAppearance)

export interface AppOptions extends CashierAppearance {
  /** Sends a text to the app. By default the channel of React Native, iOS or Android (see the README). */
  readonly post?: ((text: string) => void) | undefined
}

type Listener = (event: { readonly data: unknown }) => void

interface Port {
  postMessage(text: string): void
  addEventListener?(type: 'message', listener: Listener): void
  removeEventListener?(type: 'message', listener: Listener): void
}

interface AppWindow {
  readonly ReactNativeWebView?: Port
  readonly webkit?: { readonly messageHandlers?: { readonly cashierApp?: Port } }
  /** Of `WebViewCompat.addWebMessageListener`. */
  readonly cashierApp?: Port
  /** Where the app calls in, in the main frame alone: `CashierBridge.receive(text)`. */
  CashierBridge?: { readonly receive: (text: string) => void }
}

const window = globalThis as AppWindow

const findPort = (): Port | undefined =>
  window.ReactNativeWebView ?? window.webkit?.messageHandlers?.cashierApp ?? window.cashierApp

/** How long the app may take for a token. */
const TOKEN_MS = 30_000
/** A multiple of three, so that the base64 of the parts may be joined. */
const PART_BYTES = 3 * 128 * 1024

async function base64(part: Blob): Promise<string> {
  const bytes = new Uint8Array(await part.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}

/**
 * Mounts the cashier in a page inside an app's web view, and speaks for it with the app: tokens come from there, and
 * events, files and external links go there.
 * @param origin the cashier's `PUBLIC_URL`
 * @throws Error outside an app
 */
export function connectApp(origin: string, target: Element, options: AppOptions = {}): MountedCashier {
  const port = findPort()
  const post = options.post ?? port?.postMessage.bind(port)
  if (!post) throw new Error('Cashier: this page is not in a web view whose app has a channel.')
  const send = (message: object): void => post(JSON.stringify({ cashier: 1, ...message }))
  const wanted = new Map<string, (token: string | null) => void>()
  let count = 0
  const newId = (): string => String((count += 1))

  const fetchLaunchToken = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const id = newId()
      const timer = setTimeout(() => wanted.get(id)?.(null), TOKEN_MS)
      wanted.set(id, (token) => {
        clearTimeout(timer)
        wanted.delete(id)
        if (token === null) reject(new Error('the app gave no token'))
        else resolve(token)
      })
      send({ type: 'token_wanted', id })
    })

  let sending = Promise.resolve()
  const sendFile = async ({ name, content }: CashierFile): Promise<void> => {
    const about = { type: 'file', id: newId(), name, mime: content.type }
    const parts = Math.max(1, Math.ceil(content.size / PART_BYTES))
    for (let part = 0; part < parts; part += 1)
      send({ ...about, part, parts, data: await base64(content.slice(part * PART_BYTES, (part + 1) * PART_BYTES)) })
  }

  const mounted = mountLater(origin, target, {
    locale: options.locale,
    theme: options.theme,
    fetchLaunchToken,
    onEvent: send,
    onFile: (file) => {
      sending = sending.catch(() => undefined).then(() => sendFile(file))
    },
    onLink: (url) => send({ type: 'link', url }),
  })

  const receive = (text: unknown): void => {
    const message = JSON.parse(String(text)) as MessageFromApp
    switch (message.type) {
      case 'token':
        wanted.get(message.id)?.(message.token)
        break
      case 'token_failed':
        wanted.get(message.id)?.(null)
        break
      case 'update':
        mounted.update({ locale: message.locale, theme: message.theme })
    }
  }
  const bridge = { receive }
  const listener: Listener = ({ data }) => receive(data)
  window.CashierBridge = bridge
  port?.addEventListener?.('message', listener)
  return {
    ...mounted,
    destroy() {
      port?.removeEventListener?.('message', listener)
      if (window.CashierBridge === bridge) delete window.CashierBridge
      mounted.destroy()
    },
  }
}
