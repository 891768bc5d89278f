/** The texts that speak of the merchant's site, and how each reads where the session has its name. */
import type { MessageKey } from './translator.ts'

const NAMED = {
  'common.back': 'site.return',
  'problem.sessionEnded.again': 'site.again',
  'withdraw.state.pendingAuthorization': 'site.approves',
  'withdraw.reason.declined': 'site.declined',
  'withdraw.merchantSays': 'site.says',
} as const satisfies Partial<Record<MessageKey, MessageKey>>

const isAboutTheSite = (key: MessageKey): key is keyof typeof NAMED => Object.hasOwn(NAMED, key)

/** The key of a text with the value `{site}`; the same key where there is no name, or where it names no site. */
export const siteText = (key: MessageKey, name: string | null | undefined): MessageKey =>
  name != null && name !== '' && isAboutTheSite(key) ? NAMED[key] : key
