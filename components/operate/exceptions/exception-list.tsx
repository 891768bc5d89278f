'use client'

import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ExceptionItem } from '#lib/contract/operate/exceptions.ts'
import { ConsoleLink } from '../context/address.tsx'
import { pageHref } from '../context/page-links.ts'
import { useConsoleText } from '../context/texts.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { EXCEPTIONS } from './exception-display.ts'

export function ExceptionList({ exceptions }: { readonly exceptions: readonly ExceptionItem[] }) {
  return (
    <ul className="overflow-hidden rounded-card border border-line bg-surface">
      {exceptions.map((item) => (
        <li key={item.kind} className="border-line not-last:border-b">
          <ExceptionRow item={item} />
        </li>
      ))}
    </ul>
  )
}

const TONES = { bad: 'bg-bad-soft text-bad', wait: 'bg-wait-soft text-wait' } as const

/** The whole row is the link to its list. */
function ExceptionRow({ item }: { readonly item: ExceptionItem }) {
  const { t, rich, decimal } = useConsoleText()
  const { title, help, page, tone, times } = EXCEPTIONS[item.kind]
  const number = decimal(String(item.count))
  const count = item.more ? t('exceptions.more', { count: number }) : number
  return (
    <ConsoleLink
      href={pageHref(page)}
      data-row
      className="grid min-h-16 grid-cols-[minmax(3rem,max-content)_minmax(0,1fr)_auto] lg:grid-cols-[minmax(4.5rem,max-content)_minmax(0,1fr)_auto] items-center gap-x-3 px-3 py-3 hover:bg-sunken lg:px-4"
    >
      <span
        className={`min-w-12 justify-self-start rounded-small px-2 py-1 text-center text-l leading-tight font-semibold tabular-nums ${TONES[tone]}`}
      >
        {count}
        {times === true && (
          <span className="block text-xs font-medium">{t('exceptions.times', { count: item.count })}</span>
        )}
      </span>
      <span className="min-w-0">
        <span className="block font-semibold">{t(title)}</span>
        <span className="block text-s text-ink-2">{t(help)}</span>
        {item.detail !== null && (
          <code translate="no" className="block font-mono text-xs break-all text-ink-2">
            {item.detail}
          </code>
        )}
        {item.oldest_at !== null && (
          <span className="block text-s text-ink-2 lg:hidden">
            {rich('exceptions.since', { time: () => <TimeText iso={item.oldest_at ?? ''} /> })}
          </span>
        )}
      </span>
      <span className="flex items-center gap-3 text-ink-2">
        {item.oldest_at !== null && (
          <span className="hidden text-s lg:block">
            {rich('exceptions.since', { time: () => <TimeText iso={item.oldest_at ?? ''} /> })}
          </span>
        )}
        <ChevronRight aria-hidden size={18} className="shrink-0" />
      </span>
    </ConsoleLink>
  )
}
