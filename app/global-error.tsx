'use client'

import type { Locale } from '#lib/contract/cashier.ts'
import { directionOf } from '#lib/i18n/locale-facts.ts'
import './globals.css'

/** Where even the page's frame broke there are no messages to ask for; what the document's language was is still known. */
const WORDS: Readonly<Record<Locale, readonly [title: string, retry: string]>> = {
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

const isOurs = (lang: string): lang is Locale => Object.hasOwn(WORDS, lang)

export default function GlobalError({ reset }: { readonly reset: () => void }) {
  const lang = typeof document === 'undefined' ? 'en' : document.documentElement.lang
  const locale = isOurs(lang) ? lang : 'en'
  const [title, retry] = WORDS[locale]
  return (
    <html lang={locale} dir={directionOf(locale)} data-theme="auto">
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
