import type { Metadata } from 'next'
import { OnrampReturn } from '#components/buy/onramp-return.tsx'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { createTranslator } from '#lib/i18n/translator.ts'
import { Document } from '../../document.tsx'
import { requestContext } from '../../request-context.ts'

export async function generateMetadata(): Promise<Metadata> {
  const { browserLocale } = await requestContext()
  return { title: createTranslator(await loadCatalogue(browserLocale)).text('return.title') }
}

/** The provider redirects the user to this page. It has no session and says nothing about the payment's result. */
export default async function OnrampReturnPage() {
  const { browserLocale, framed } = await requestContext()
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
