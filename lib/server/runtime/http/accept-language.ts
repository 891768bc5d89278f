import Negotiator from 'negotiator'
import type { Locale } from '#lib/contract/locales.ts'
import type { HeaderReader } from './inbound-request.ts'
import { MAX_TAG_LENGTH, matchLocale } from '../../merchant/match-locale.ts'

/** A browser sends a few languages. The limit keeps strangers from making us read more or longer tags. */
const MAX_TAGS = 10

/** The best of our languages for an `Accept-Language` header; English if none matches. */
export function browserLocale(header: string | null): Locale {
  const tags = (header ?? '').slice(0, MAX_TAGS * (MAX_TAG_LENGTH + 10)).split(',', MAX_TAGS)
  const bounded = tags.filter((tag) => (tag.split(';', 1)[0] ?? '').trim().length <= MAX_TAG_LENGTH).join(',')
  return matchLocale(new Negotiator({ headers: { 'accept-language': bounded } }).languages())
}

/** The language of a file: the page's as it says, else the session's, else the browser's. */
export const fileLocale = (asked: string | undefined, ofSession: Locale | null, headers: HeaderReader): Locale =>
  asked === undefined || asked === ''
    ? (ofSession ?? browserLocale(headers.get('accept-language')))
    : matchLocale([asked])
