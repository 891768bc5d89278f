'use client'

import CalendarDays from 'lucide-react/icons/calendar-days'
import { RANGE_FILTERS, TYPE_FILTERS, type HistoryView } from '#lib/browser/history-query.ts'
import { useLocation } from '../context/location.tsx'
import { useNavigation } from '../context/navigation.tsx'
import { useTranslations } from '../context/translations.tsx'
import { buttonClass } from '../ui/button.tsx'
import { NavLink } from '../ui/nav-link.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'

const FORM = 'history-range'
/** Parameters that a change of the range sets or removes: the range and the page of the list. */
const CHANGED_BY_RANGE = ['range', 'after', 'before']

/**
 * The filters fit on one line in each language, so the range is an icon and the chosen range is shown below. Filters
 * are part of the URL, so the back button undoes them.
 */
export function HistoryFilters({ view }: { readonly view: HistoryView }) {
  const { t } = useTranslations()
  const { setQuery, hrefWithQuery } = useNavigation()
  const kept = [...useLocation().query].filter(([name]) => !CHANGED_BY_RANGE.includes(name))
  return (
    <div role="group" aria-label={t('history.filters')} className="shown-whole flex flex-wrap items-center gap-1">
      {[null, ...TYPE_FILTERS].map((type) => {
        const changes = { type, after: null, before: null }
        const current = view.type === type
        return (
          <NavLink
            key={type ?? 'all'}
            href={hrefWithQuery(changes)}
            onGo={() => setQuery(changes, 'push')}
            aria-current={current ? 'true' : undefined}
            className={`inline-flex min-h-11 min-w-11 items-center justify-center rounded-full border px-2 text-s font-medium ${
              current ? 'border-ink bg-ink text-surface' : 'border-field text-ink'
            }`}
          >
            {t(`history.type.${type ?? 'all'}`)}
          </NavLink>
        )
      })}
      {/* Before the page's scripts have run, a changed range sends the form (app/early-presses.ts). */}
      <form
        id={FORM}
        method="get"
        className={`relative ms-auto grid size-11 shrink-0 place-items-center rounded-full border outline-offset-2 outline-accent has-focus-visible:outline-2 ${
          view.range === null ? 'border-field text-ink' : 'border-ink bg-ink text-surface'
        }`}
      >
        <CalendarDays aria-hidden size={18} />
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
          className="absolute -inset-px size-11 cursor-pointer appearance-none opacity-0"
        >
          <option value="">{t('history.range.all')}</option>
          {RANGE_FILTERS.map((range) => (
            <option key={range} value={range}>
              {t(`history.range.${range}`)}
            </option>
          ))}
        </select>
      </form>
      <noscript>
        <button type="submit" form={FORM} className={buttonClass('chip')}>
          {t('history.filters')}
        </button>
      </noscript>
      {view.range !== null && (
        <p className="basis-full text-end text-xs text-ink-2">
          <b className="font-semibold">{t(`history.range.${view.range}`)}</b>
          {view.range !== 'last_24hrs' && <span>{` · ${t('history.rangeNote')}`}</span>}
        </p>
      )}
      <WholeEnd />
    </div>
  )
}
