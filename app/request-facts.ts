import { headers } from 'next/headers'
import { cache } from 'react'
import type { Locale } from '#lib/contract/cashier.ts'
import { matchLocale } from '#lib/server/merchant/match-locale.ts'

export interface RequestFacts {
  readonly cookie: string | null
  /** The best of our languages for what the browser accepts. */
  readonly browserLocale: Locale
  /** The reader's time zone, where an earlier page could note it (`components/shell/zone-note.tsx`). */
  readonly zone: string | null
  /** Of this answer's Content-Security-Policy. */
  readonly nonce: string | undefined
  /** The browser says that this page goes into a frame. */
  readonly framed: boolean
}

/** What pages read of the request. Calling it makes a page dynamic, as the nonce needs. */
export const requestFacts = cache(async (): Promise<RequestFacts> => {
  const list = await headers()
  const policy = list.get('content-security-policy') ?? ''
  const accepted = (list.get('accept-language') ?? '').slice(0, 200).split(',')
  return {
    cookie: list.get('cookie'),
    browserLocale: matchLocale(accepted.map((entry) => (entry.split(';')[0] ?? '').trim())),
    zone: knownZone(/(?:^|;\s*)cashier-zone=([\w/+-]{1,64})/.exec(list.get('cookie') ?? '')?.[1]),
    nonce: /'nonce-([A-Za-z0-9+/=_-]+)'/.exec(policy)?.[1],
    framed: list.get('sec-fetch-dest') === 'iframe',
  }
})

function knownZone(name: string | undefined): string | null {
  if (name === undefined) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
