import type { Metadata } from 'next'
import { loadCatalogue } from '#lib/i18n/catalogue.ts'
import { createTranslator } from '#lib/i18n/translator.ts'
import { getApp } from '#lib/server/runtime/app.ts'
import { Document } from './document.tsx'
import { requestContext } from './request-context.ts'

const translator = async () => createTranslator(await loadCatalogue((await requestContext()).browserLocale))

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await translator()).text('problem.notFound.title') }
}

/** For every unknown URL. */
export default async function NotFound() {
  const { text, locale } = await translator()
  return (
    <Document locale={locale} theme="auto" tokens={getApp().pages.settings.themeTokens}>
      <main className="page grid justify-items-center gap-3 px-6 py-16 text-center" data-testid="not-found">
        <h1 className="text-l font-semibold">{text('problem.notFound.title')}</h1>
        <p className="text-ink-2">{text('problem.notFound.body')}</p>
      </main>
    </Document>
  )
}
