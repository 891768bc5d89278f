'use client'

import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { buttonClass } from '#components/ui/button.tsx'
import { ConsoleLink } from '../context/address.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { TimeText } from './time-text.tsx'

export interface ListPagerProps {
  /** The addresses of the pages beside this one; null: there is none. */
  readonly previous: string | null
  readonly next: string | null
  /** ISO time of the row where a search for rows stopped; null: it did not. */
  readonly searchedTo: string | null
}

/** Leads to the pages beside this one, and says if the search for rows stopped early. */
export function ListPager({ previous, next, searchedTo }: ListPagerProps) {
  const { t } = useConsoleText()
  if (previous === null && next === null) return null
  return (
    <nav aria-label={t('list.pages')} className="mt-4 flex flex-wrap items-center gap-2">
      {searchedTo !== null && (
        <p className="w-full text-s text-ink-2">
          {t('list.searchedTo')} <TimeText iso={searchedTo} exactly />
        </p>
      )}
      {previous !== null && (
        <ConsoleLink href={previous} rel="prev" className={buttonClass('plain', 'text-s')}>
          <ChevronLeft aria-hidden size={16} />
          {t('list.previous')}
        </ConsoleLink>
      )}
      {next !== null && (
        <ConsoleLink href={next} rel="next" className={buttonClass('plain', 'text-s')}>
          {searchedTo === null ? t('list.next') : t('list.searchOn')}
          <ChevronRight aria-hidden size={16} />
        </ConsoleLink>
      )}
    </nav>
  )
}
