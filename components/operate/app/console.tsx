'use client'

import { TranslationsProvider } from '#components/context/translations.tsx'
import { AnnouncerProvider } from '#components/ui/announcer.tsx'
import { useHydrated } from '#components/ui/hydrated.ts'
import type { ConsoleCatalogue } from '#lib/i18n/console-catalogue.ts'
import type { Catalogue } from '#lib/i18n/translator.ts'
import { AddressProvider } from '../context/address.tsx'
import { ConsoleClientProvider } from '../context/client.tsx'
import { ConsoleSettingsContext, type ConsoleSettings } from '../context/settings.tsx'
import { ConsoleShell } from './console-shell.tsx'
import { ConsoleTextProvider } from '../context/texts.tsx'

/** The console's application. Its first render in the browser asks who is signed in. */
export function Console({
  catalogue,
  texts,
  explorer,
  embedded,
}: ConsoleSettings & {
  /** Of the components that the console shares with the cashier. */
  readonly catalogue: Catalogue
  readonly texts: ConsoleCatalogue
}) {
  // On the server it renders nothing.
  if (!useHydrated()) return null
  return (
    <TranslationsProvider catalogue={catalogue}>
      <ConsoleTextProvider texts={texts}>
        <ConsoleSettingsContext value={{ explorer, embedded }}>
          <AddressProvider>
            <ConsoleClientProvider>
              <AnnouncerProvider>
                <ConsoleShell />
              </AnnouncerProvider>
            </ConsoleClientProvider>
          </AddressProvider>
        </ConsoleSettingsContext>
      </ConsoleTextProvider>
    </TranslationsProvider>
  )
}
