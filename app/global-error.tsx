'use client'

import CircleAlert from 'lucide-react/icons/circle-alert'
import type { Locale } from '#lib/contract/locales.ts'
import { ERROR_TEXTS } from '#lib/i18n/messages/error-texts.ts'
import PageStyle from '#page-style'

const isLocale = (lang: string): lang is Locale => Object.hasOwn(ERROR_TEXTS, lang)

/** Shown when the root layout fails; the document's language is still known. Looks like `StateScreen`. */
export default function GlobalError({
  error,
  reset,
}: {
  readonly error: Error & { digest?: string }
  readonly reset: () => void
}) {
  const { lang, dir } = typeof document === 'undefined' ? { lang: 'en', dir: 'ltr' } : document.documentElement
  const locale = isLocale(lang) ? lang : 'en'
  const { title, body, retry, quote } = ERROR_TEXTS[locale]
  return (
    <html lang={locale} dir={dir} data-theme="auto">
      <head>
        <PageStyle />
      </head>
      <body>
        <main className="page px-5">
          <section
            className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-3 px-2 py-10 text-center"
            data-testid="broken"
          >
            <CircleAlert aria-hidden size={32} strokeWidth={1.6} className="text-bad" />
            <h1 className="max-w-full text-l font-semibold text-balance hyphens-auto">{title}</h1>
            <p className="max-w-88 text-ink-2 text-pretty">{body}</p>
            <button
              type="button"
              onClick={reset}
              className="min-h-12 rounded-card border border-line px-4 font-semibold"
            >
              {retry}
            </button>
            {error.digest !== undefined && (
              <p className="text-s text-ink-2" data-testid="reference">
                <span>{quote}</span>
                <bdi dir="ltr" className="block font-mono text-xs wrap-anywhere select-all">
                  {error.digest}
                </bdi>
              </p>
            )}
          </section>
        </main>
      </body>
    </html>
  )
}
