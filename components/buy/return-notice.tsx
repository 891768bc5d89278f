'use client'

import { useEffect } from 'react'
import { tellReturned } from '#lib/browser/onramp-return.ts'
import { createTranslator, type Catalogue } from '#lib/i18n/translator.ts'

export function ReturnNotice({ catalogue, framed }: { readonly catalogue: Catalogue; readonly framed: boolean }) {
  const { text } = createTranslator(catalogue)
  useEffect(() => tellReturned(window), [])
  return (
    <main className="page grid justify-items-center gap-3 px-6 py-16 text-center" data-testid="onramp-return">
      <h1 className="text-l font-semibold">{text('return.title')}</h1>
      <p className="max-w-88 text-ink-2">{text('return.body')}</p>
      <p className="max-w-88 text-ink-2">{text(framed ? 'return.frame' : 'return.top')}</p>
    </main>
  )
}
