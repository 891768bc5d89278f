import type { Metadata } from 'next'
import { OnrampReturn } from '#components/buy/onramp-return.tsx'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { createTranslator } from '#lib/i18n/translator.ts'
import { Document } from '../../document.tsx'
import { requestFacts } from '../../request-facts.ts'

export async function generateMetadata(): Promise<Metadata> {
  const { browserLocale } = await requestFacts()
  return { title: createTranslator(await loadCatalogue(browserLocale)).text('return.title') }
}

/** Where the provider sends the user back to. It knows no session and claims nothing about the payment. */
export default async function OnrampReturnPage() {
  const { browserLocale, framed } = await requestFacts()
  const { text } = createTranslator(await loadCatalogue(browserLocale))
  return (
    <Document locale={browserLocale} theme="auto">
      <main className="page grid gap-3 px-5 py-10 text-center" data-testid="onramp-return">
        <h1 className="text-l font-semibold">{text('return.title')}</h1>
        <p className="text-ink-2">{text('return.body')}</p>
        <p className="text-ink-2">{text(framed ? 'return.frame' : 'return.top')}</p>
        <OnrampReturn />
      </main>
    </Document>
  )
}
