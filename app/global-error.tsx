'use client'

import './globals.css'

/** Where even the page's frame broke there is no language to ask for: the document's own, else English. */
const WORDS: Readonly<Record<string, readonly [title: string, retry: string]>> = {
  en: ['Something went wrong on our side', 'Try again'],
}

export default function GlobalError({ reset }: { readonly reset: () => void }) {
  const lang = typeof document === 'undefined' ? 'en' : document.documentElement.lang
  const [title, retry] = WORDS[lang] ?? ['Something went wrong on our side', 'Try again']
  return (
    <html lang={lang} data-theme="auto">
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
