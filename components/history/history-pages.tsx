'use client'

import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import type { TransactionsPage } from '#lib/contract/cashier.ts'
import { useNavigation } from '../context/navigation.tsx'
import { useTranslations } from '../context/translations.tsx'
import { buttonClass } from '../ui/button.tsx'
import { NavLink } from '../ui/nav-link.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'

/** Pages by cursor; the cursor is part of the URL. */
export function HistoryPages({ page: { page_info: info, total_count: count } }: { readonly page: TransactionsPage }) {
  const { t } = useTranslations()
  const newer = info.has_previous_page ? info.start_cursor : null
  const older = info.has_next_page ? info.end_cursor : null
  return (
    <nav
      aria-label={t('history.pages')}
      className={`shown-whole flex min-h-11 items-center gap-2 ${(newer ?? older) ? 'justify-between' : 'justify-center'}`}
    >
      <Step cursor={newer} isAlone={older === null} side="before">
        <ChevronLeft aria-hidden size={16} className="rtl:-scale-x-100" />
        <span>{t('history.newer')}</span>
      </Step>
      <span className="text-center text-s text-ink-2">{count !== null && t('history.count', { count })}</span>
      <Step cursor={older} isAlone={newer === null} side="after">
        <span>{t('history.older')}</span>
        <ChevronRight aria-hidden size={16} className="rtl:-scale-x-100" />
      </Step>
      <WholeEnd />
    </nav>
  )
}

function Step({
  cursor,
  isAlone,
  side,
  children,
}: {
  readonly cursor: string | null
  /** There is no step on the other side. */
  readonly isAlone: boolean
  readonly side: 'before' | 'after'
  readonly children: ReactNode
}) {
  const { setQuery, hrefWithQuery } = useNavigation()
  if (cursor === null) return isAlone ? null : <span className="min-w-22" />
  const changes = { before: null, after: null, [side]: cursor }
  return (
    <NavLink
      href={hrefWithQuery(changes)}
      onGo={() => setQuery(changes, 'push')}
      data-testid={side === 'after' ? 'older' : 'newer'}
      className={buttonClass('quiet', 'min-w-22')}
    >
      {children}
    </NavLink>
  )
}
