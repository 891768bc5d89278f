'use client'

import type { Locale } from '#lib/contract/cashier.ts'
import './globals.css'

/** The root layout failed, so there is no message catalogue; the document's language is still known. */
const TEXTS: Readonly<Record<Locale, readonly [title: string, retry: string]>> = {
  en: ['Something went wrong on our side', 'Try again'],
  de: ['Bei uns ist etwas schiefgegangen', 'Erneut versuchen'],
  es: ['Algo falló por nuestra parte', 'Reintentar'],
  fr: ['Un problème est survenu de notre côté', 'Réessayer'],
  'pt-BR': ['Algo deu errado do nosso lado', 'Tentar novamente'],
  tr: ['Bizim tarafımızda bir sorun oluştu', 'Tekrar dene'],
  ru: ['У нас произошла ошибка', 'Повторить'],
  ja: ['こちらで問題が発生しました', 'もう一度試す'],
  'zh-Hans': ['我们这边出了问题', '重试'],
  ar: ['حدث خطأ من جانبنا', 'إعادة المحاولة'],
}

const isLocale = (lang: string): lang is Locale => Object.hasOwn(TEXTS, lang)

export default function GlobalError({ reset }: { readonly reset: () => void }) {
  const { lang, dir } = typeof document === 'undefined' ? { lang: 'en', dir: 'ltr' } : document.documentElement
  const locale = isLocale(lang) ? lang : 'en'
  const [title, retry] = TEXTS[locale]
  return (
    <html lang={locale} dir={dir} data-theme="auto">
      <body>
        <main className="page grid justify-items-center gap-4 px-6 py-16 text-center" data-testid="broken">
          <h1 className="text-l font-semibold">{title}</h1>
          <button type="button" onClick={reset} className="min-h-12 rounded-card border border-line px-4 font-semibold">
            {retry}
          </button>
        </main>
      </body>
    </html>
  )
}
