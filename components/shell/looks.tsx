'use client'

import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import type { Theme } from '#lib/contract/cashier.ts'
import type { FrameName } from '#lib/contract/embed.ts'
import { directionOf } from '#lib/i18n/locale-facts.ts'
import type { Catalogue } from '#lib/i18n/translator.ts'
import { useFrame } from './frame.tsx'
import { WordsProvider } from './words.tsx'

/** Language and theme: the session's, until the merchant's page asks for others. Neither needs a reload. */
export function Looks({ drawn, children }: { readonly drawn: Catalogue; readonly children: ReactNode }) {
  const frame = useFrame()
  const [asked, setAsked] = useState<Catalogue | null>(null)

  const wear = useEffectEvent(async ({ locale, theme }: Pick<FrameName, 'locale' | 'theme'>) => {
    if (theme) applyTheme(theme)
    if (locale === undefined || locale === (asked ?? drawn).locale) return
    const catalogue = await fetchCatalogue(locale)
    if (!catalogue) return
    document.documentElement.lang = catalogue.locale
    document.documentElement.dir = directionOf(catalogue.locale)
    setAsked(catalogue)
  })

  useEffect(() => {
    if (!frame) return undefined
    void Promise.resolve(frame.looks).then((looks) => wear(looks))
    return frame.listen((message) => {
      if (message.type === 'update') void wear(message)
    })
  }, [frame])

  return <WordsProvider catalogue={asked ?? drawn}>{children}</WordsProvider>
}

const applyTheme = (theme: Theme): void => {
  document.documentElement.dataset['theme'] = theme
}

/** From our own server, which matches the tag by best fit. Null where it cannot be had: the page stays as it is. */
async function fetchCatalogue(locale: string): Promise<Catalogue | null> {
  try {
    const response = await fetch(`/messages/${encodeURIComponent(locale)}`)
    return response.ok ? ((await response.json()) as Catalogue) : null
  } catch {
    return null
  }
}
