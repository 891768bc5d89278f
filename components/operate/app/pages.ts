/** The pages of the console: their addresses, names, and who may see them. */
import { lazy, type ComponentType } from 'react'
import type { OperatorRole } from '#lib/contract/operate/operators.ts'
import type { ConsoleKey } from '#lib/i18n/console-catalogue.ts'
import type { PageParams, PageProps } from '../context/page-links.ts'

export interface PageEntry {
  /** After `/operate`, such as `/users/{user}`; the landing page is empty. */
  readonly path: string
  readonly title: ConsoleKey
  /** The least role that may see it. */
  readonly role: OperatorRole
  /** Set for a page in the menu: its place there, and the letter after `g`. */
  readonly menu?: { readonly letter: string }
  /** Loaded when it is shown. */
  readonly Page: ComponentType<PageProps>
}

/** Those of the menu come first, in its order. */
export const PAGES: readonly PageEntry[] = [
  {
    path: '',
    title: 'page.exceptions',
    role: 'viewer',
    menu: { letter: 'e' },
    Page: lazy(() => import('../exceptions/exceptions-page.tsx')),
  },
  {
    path: '/transactions',
    title: 'page.transactions',
    role: 'viewer',
    menu: { letter: 't' },
    Page: lazy(() => import('../lists/transactions-page.tsx')),
  },
  {
    path: '/withdrawals',
    title: 'page.withdrawals',
    role: 'viewer',
    menu: { letter: 'w' },
    Page: lazy(() => import('../lists/withdrawals-page.tsx')),
  },
  {
    path: '/payouts',
    title: 'page.payouts',
    role: 'viewer',
    menu: { letter: 'p' },
    Page: lazy(() => import('../lists/payouts-page.tsx')),
  },
  {
    path: '/quarantine',
    title: 'page.quarantine',
    role: 'viewer',
    menu: { letter: 'q' },
    Page: lazy(() => import('../lists/quarantine-page.tsx')),
  },
  {
    path: '/deliveries',
    title: 'page.deliveries',
    role: 'viewer',
    menu: { letter: 'd' },
    Page: lazy(() => import('../deliveries/deliveries-page.tsx')),
  },
  {
    path: '/audit',
    title: 'page.audit',
    role: 'viewer',
    menu: { letter: 'a' },
    Page: lazy(() => import('../audit/audit-page.tsx')),
  },
  {
    path: '/operators',
    title: 'page.operators',
    role: 'admin',
    menu: { letter: 'o' },
    Page: lazy(() => import('../access/operators-page.tsx')),
  },
  {
    path: '/keys',
    title: 'page.keys',
    role: 'admin',
    menu: { letter: 'k' },
    Page: lazy(() => import('../keys/keys-page.tsx')),
  },
  {
    path: '/settings',
    title: 'page.settings',
    role: 'viewer',
    menu: { letter: 's' },
    Page: lazy(() => import('../settings/settings-page.tsx')),
  },
  {
    path: '/search',
    title: 'page.search',
    role: 'viewer',
    Page: lazy(() => import('../search/search-page.tsx')),
  },
  {
    path: '/payouts/{uuid}',
    title: 'page.payout',
    role: 'viewer',
    Page: lazy(() => import('../decide/payout-page.tsx')),
  },
  {
    path: '/quarantine/{id}',
    title: 'page.quarantineLine',
    role: 'viewer',
    Page: lazy(() => import('../decide/quarantine-line-page.tsx')),
  },
  {
    path: '/transactions/{uuid}',
    title: 'page.transactionStory',
    role: 'viewer',
    Page: lazy(() => import('../story/transaction-story-page.tsx')),
  },
  {
    path: '/withdrawals/{id}',
    title: 'page.withdrawalStory',
    role: 'viewer',
    Page: lazy(() => import('../story/withdrawal-story-page.tsx')),
  },
  {
    path: '/users/{user}',
    title: 'page.user',
    role: 'viewer',
    Page: lazy(() => import('../users/user-page.tsx')),
  },
  {
    path: '/deliveries/{id}',
    title: 'deliveries.one',
    role: 'viewer',
    Page: lazy(() => import('../deliveries/delivery-page.tsx')),
  },
]

export interface FoundPage {
  readonly page: PageEntry
  readonly params: PageParams
}

/** Null if no page has this path. */
export function findPage(pathname: string): FoundPage | null {
  const parts = pathname.replace(/\/$/, '').split('/').slice(2)
  for (const page of PAGES) {
    const wanted = page.path.split('/').slice(1)
    if (wanted.length !== parts.length) continue
    const params: Record<string, string> = {}
    const fits = wanted.every((segment, at) => {
      const part = parts[at] ?? ''
      if (!segment.startsWith('{')) return segment === part
      params[segment.slice(1, -1)] = decodeURIComponent(part)
      return part !== ''
    })
    if (fits) return { page, params }
  }
  return null
}
