import CircleAlert from 'lucide-react/icons/circle-alert'
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

/**
 * Rendered for a path that Next does not find, as in development. Otherwise a static page answers
 * (lib/server/runtime/static-pages).
 */
export default async function NotFound() {
  const { text, locale } = await translator()
  return (
    <Document locale={locale} theme="auto" tokens={getApp().pages.settings.themeTokens}>
      <main className="page px-5">
        <section
          className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-3 px-2 py-10 text-center"
          data-testid="not-found"
        >
          <CircleAlert aria-hidden size={32} strokeWidth={1.6} className="text-ink-2" />
          <h1 className="text-l font-semibold">{text('problem.notFound.title')}</h1>
          <p className="text-ink-2">{text('problem.notFound.body')}</p>
          <p className="text-ink-2">{text('problem.sessionEnded.again')}</p>
        </section>
      </main>
    </Document>
  )
}
