'use client'

import { RANGE_FILTERS, TYPE_FILTERS, type HistoryView } from '#lib/browser/history-query.ts'
import { useNavigation } from '../shell/navigation.tsx'
import { useWords } from '../shell/words.tsx'
import { NavLink } from '../ui/nav-link.tsx'

/** Filters are addresses: they can be shared, and the back button undoes them. */
export function HistoryFilters({ view }: { readonly view: HistoryView }) {
  const { t } = useWords()
  const { ask, hrefAsking } = useNavigation()
  return (
    <div role="group" aria-label={t('history.filters')} className="flex flex-wrap items-center gap-1.5">
      {[null, ...TYPE_FILTERS].map((type) => {
        const changes = { type, after: null, before: null }
        const current = view.type === type
        return (
          <NavLink
            key={type ?? 'all'}
            href={hrefAsking(changes)}
            onGo={() => ask(changes, 'push')}
            aria-current={current ? 'true' : undefined}
            className={`inline-flex min-h-8 items-center rounded-full border px-3 text-s font-medium ${
              current ? 'border-ink bg-ink text-surface' : 'border-line text-ink'
            }`}
          >
            {t(`history.type.${type ?? 'all'}`)}
          </NavLink>
        )
      })}
      <select
        aria-label={t('history.range')}
        data-testid="time-range"
        value={view.range ?? ''}
        onChange={(event) =>
          ask({ range: event.target.value === '' ? null : event.target.value, after: null, before: null }, 'push')
        }
        className="ms-auto min-h-8 max-w-full rounded-full border border-line bg-surface px-2.5 text-s font-medium text-ink"
      >
        <option value="">{t('history.range.all')}</option>
        {RANGE_FILTERS.map((range) => (
          <option key={range} value={range}>
            {t(`history.range.${range}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
