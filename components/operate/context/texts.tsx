'use client'

import { createContext, use, useMemo, type ReactNode } from 'react'
import { createTranslations, type Translations } from '#components/context/translations.tsx'
import type { ConsoleCatalogue, ConsoleKey } from '#lib/i18n/console-catalogue.ts'

const Context = createContext<Translations<ConsoleKey> | null>(null)

export function ConsoleTextProvider({
  texts,
  children,
}: {
  readonly texts: ConsoleCatalogue
  readonly children: ReactNode
}) {
  const value = useMemo(() => createTranslations<ConsoleKey>(texts), [texts])
  return <Context value={value}>{children}</Context>
}

/** The texts of the console. */
export function useConsoleText(): Translations<ConsoleKey> {
  const value = use(Context)
  if (!value) throw new Error('useConsoleText outside ConsoleTextProvider')
  return value
}
