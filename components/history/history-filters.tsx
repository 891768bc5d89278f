'use client'

import ChevronDown from 'lucide-react/icons/chevron-down'
import { RANGE_FILTERS, TYPE_FILTERS, type HistoryView } from '#lib/browser/history-query.ts'
import { useLocation } from '../shell/location.tsx'
import { useNavigation } from '../shell/navigation.tsx'
import { useTranslations } from '../context/translations.tsx'
import { buttonClass } from '../ui/button.tsx'
import { NavLink } from '../ui/nav-link.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'

/** The range itself, and the page of the list that it had. */
const CHANGED_BY_RANGE = ['range', 'after', 'before']

/** Filters are part of the URL, so the back button undoes them. */
export function HistoryFilters({ view }: { readonly view: HistoryView }) {
  const { t } = useTranslations()
  const { setQuery, hrefWithQuery } = useNavigation()
  const kept = [...useLocation().query].filter(([name]) => !CHANGED_BY_RANGE.includes(name))
  return (
    <div role="group" aria-label={t('history.filters')} className="shown-whole flex flex-wrap items-center gap-1.5">
      {[null, ...TYPE_FILTERS].map((type) => {
        const changes = { type, after: null, before: null }
        const current = view.type === type
        return (
          <NavLink
            key={type ?? 'all'}
            href={hrefWithQuery(changes)}
            onGo={() => setQuery(changes, 'push')}
            aria-current={current ? 'true' : undefined}
            className={`inline-flex min-h-8 items-center rounded-full border px-2.5 text-s font-medium ${
              current ? 'border-ink bg-ink text-surface' : 'border-line text-ink'
            }`}
          >
            {t(`history.type.${type ?? 'all'}`)}
          </NavLink>
        )
      })}
      {/* Before the page's scripts, a changed range sends the form (app/early-presses.ts). */}
      <form method="get" className="relative ms-auto max-w-full">
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <select
          name="range"
          aria-label={t('history.range')}
          data-testid="time-range"
          value={view.range ?? ''}
          onChange={(event) =>
            setQuery(
              { range: event.target.value === '' ? null : event.target.value, after: null, before: null },
              'push',
            )
          }
          className="min-h-8 max-w-full appearance-none rounded-full border border-line bg-surface ps-2.5 pe-7 text-s font-medium text-ink [field-sizing:content]"
        >
          <option value="">{t('history.range.all')}</option>
          {RANGE_FILTERS.map((range) => (
            <option key={range} value={range}>
              {t(`history.range.${range}`)}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          size={14}
          className="pointer-events-none absolute end-2.5 top-1/2 -translate-y-1/2 text-ink-2"
        />
        <noscript>
          <button type="submit" className={buttonClass('chip')}>
            {t('history.filters')}
          </button>
        </noscript>
      </form>
      {view.range !== null && view.range !== 'last_24hrs' && (
        <p className="basis-full text-end text-xs text-ink-2">{t('history.rangeNote')}</p>
      )}
      <WholeEnd />
    </div>
  )
}
