'use client'

import { ConsoleLink } from '../context/address.tsx'
import { useConsoleText } from '../context/texts.tsx'
import type { Choice } from './filter-fields.ts'

/** The parts of a list, as links. */
export function ListParts({
  parts,
  shown,
  hrefOf,
}: {
  readonly parts: readonly Choice[]
  readonly shown: string
  readonly hrefOf: (part: string) => string
}) {
  const { t } = useConsoleText()
  return (
    <nav aria-label={t('list.parts')} className="min-w-0">
      <ul className="flex flex-wrap gap-1">
        {parts.map(({ value, label }) => (
          <li key={value}>
            <ConsoleLink
              href={hrefOf(value)}
              aria-current={value === shown ? 'true' : undefined}
              className="flex min-h-11 items-center rounded-small px-3 text-s font-semibold text-ink-2 hover:bg-sunken aria-[current]:bg-accent-soft aria-[current]:text-accent sm:min-h-9"
            >
              {t(label)}
            </ConsoleLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
