/**
 * The frame's parser of the host's messages, for the pages and for the scripts of documents without a framework.
 * Written by hand, because the schemas would be a seventh of the first page's load. A test compares it with the schemas
 * in lib/contract/embed-protocol.ts.
 */
import { CHANNEL, EMBED_VERSION, LANGUAGE_TAG, THEME, TOKEN } from '#lib/contract/embed-limits.ts'
import type { FrameName, HostMessage } from '#lib/contract/embed-protocol.ts'

type Fields = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const matches = (value: unknown, pattern: RegExp): value is string =>
  typeof value === 'string' && pattern.test(value)

/** The given locale and theme; null if one of them is not allowed. */
function readAppearance({ locale, theme }: Fields): Pick<FrameName, 'locale' | 'theme'> | null {
  if (locale !== undefined && !matches(locale, LANGUAGE_TAG)) return null
  if (theme !== undefined && !matches(theme, THEME)) return null
  return { ...(locale !== undefined && { locale }), ...(theme !== undefined && { theme: theme as 'auto' }) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The host of this frame, from `window.name`. Null if the name is not ours or the origin is not in `embedOrigins`: the
 * frame then sends nothing and reads no message.
 */
export function readFrameName(name: string, embedOrigins: readonly string[]): FrameName | null {
  const value = readJson(name)
  if (!isRecord(value) || value['cashier'] !== EMBED_VERSION) return null
  const { channel, origin } = value
  const appearance = readAppearance(value)
  if (appearance === null || !matches(channel, CHANNEL)) return null
  if (typeof origin !== 'string' || !embedOrigins.includes(origin)) return null
  return { cashier: EMBED_VERSION, channel, origin, ...appearance }
}

/** The host's message in a message event; null if host, channel or shape is wrong. */
export function readHostMessage(
  event: Pick<MessageEvent<unknown>, 'data' | 'origin' | 'source'>,
  host: { readonly window: unknown; readonly name: FrameName },
): HostMessage | null {
  if (event.source !== host.window || event.origin !== host.name.origin) return null
  const { data } = event
  if (!isRecord(data) || data['cashier'] !== EMBED_VERSION || data['channel'] !== host.name.channel) return null
  const envelope = { cashier: EMBED_VERSION, channel: host.name.channel } as const
  const { type, token } = data
  const appearance = readAppearance(data)
  switch (type) {
    case 'token':
    case 'fresh_token':
      return matches(token, TOKEN) && appearance ? { ...envelope, type, token, ...appearance } : null
    case 'update':
      return appearance && { ...envelope, type, ...appearance }
    case 'token_failed':
    case 'ping':
      return { ...envelope, type }
    default:
      return null
  }
}
