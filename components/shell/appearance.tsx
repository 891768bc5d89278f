'use client'

import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import type { Theme } from '#lib/contract/cashier.ts'
import type { FrameName } from '#lib/contract/embed-protocol.ts'
import type { Catalogue } from '#lib/i18n/translator.ts'
import { useFrame } from './frame.tsx'
import { TranslationsProvider } from '../context/translations.tsx'

/** Language and theme of the session, until the merchant's page sets others. No reload is needed. */
export function AppearanceProvider({
  rendered,
  children,
}: {
  readonly rendered: Catalogue
  readonly children: ReactNode
}) {
  const frame = useFrame()
  const [override, setOverride] = useState<Catalogue | null>(null)
  const wanted = useRef<string>(rendered.locale)
  const accepted = useRef<string>(rendered.locale)

  const apply = useEffectEvent(async ({ locale, theme }: Pick<FrameName, 'locale' | 'theme'>) => {
    if (theme) applyTheme(theme)
    if (locale === undefined || locale === wanted.current) return
    wanted.current = locale
    const catalogue = await fetchCatalogue(locale)
    // The merchant's page has set another language meanwhile.
    if (wanted.current !== locale) return
    if (!catalogue) {
      wanted.current = accepted.current
      return
    }
    accepted.current = catalogue.locale
    // What the server rendered and what waits for its script stays: a change outside of a transition discards it.
    startTransition(() => setOverride(catalogue))
  })
  useLayoutEffect(() => {
    if (!override) return
    document.documentElement.lang = override.locale
    document.documentElement.dir = override.direction
  }, [override])

  useEffect(() => {
    if (!frame) return undefined
    void Promise.resolve(frame.appearance).then((appearance) => apply(appearance))
    return frame.listen((message) => {
      if (message.type === 'update') void apply(message)
    })
  }, [frame])

  return <TranslationsProvider catalogue={override ?? rendered}>{children}</TranslationsProvider>
}

const applyTheme = (theme: Theme): void => {
  document.documentElement.dataset['theme'] = theme
}

/** The server picks the best match for the tag. Null if the request fails; the page then keeps its language. */
async function fetchCatalogue(locale: string): Promise<Catalogue | null> {
  try {
    const response = await fetch(`/messages/${encodeURIComponent(locale)}`)
    return response.ok ? ((await response.json()) as Catalogue) : null
  } catch {
    return null
  }
}
