import { headers } from 'next/headers'
import { cache } from 'react'
import type { Locale } from '#lib/contract/locales.ts'
import { browserLocale } from '#lib/server/runtime/http/accept-language.ts'

export interface RequestContext {
  readonly cookie: string | null
  /** The best match for the browser's Accept-Language. */
  readonly browserLocale: Locale
  /** Of this response's Content-Security-Policy. */
  readonly nonce: string | undefined
  /** The browser requested the page for a frame. */
  readonly framed: boolean
}

/** What pages read from the request. Calling it makes a page dynamic, as the nonce requires. */
export const requestContext = cache(async (): Promise<RequestContext> => {
  const list = await headers()
  const policy = list.get('content-security-policy') ?? ''
  return {
    cookie: list.get('cookie'),
    browserLocale: browserLocale(list.get('accept-language')),
    nonce: /'nonce-([A-Za-z0-9+/=_-]+)'/.exec(policy)?.[1],
    framed: list.get('sec-fetch-dest') === 'iframe',
  }
})
