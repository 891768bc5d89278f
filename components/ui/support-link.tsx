'use client'

import { useRef } from 'react'
import { useTranslations } from '../context/translations.tsx'
import { CopyButton, CopyRefused } from './copy-button.tsx'
import { ReferenceText } from './reference-text.tsx'
import { useCopy } from './use-copy.ts'

/** Link to the merchant's support, with the reference to quote. */
export function SupportLink({
  supportUrl,
  reference,
}: {
  readonly supportUrl: string | null
  readonly reference: string | null
}) {
  const { t } = useTranslations()
  if (supportUrl === null && reference === null) return null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-center gap-1 text-center text-s text-ink-2">
      {supportUrl !== null && (
        <a
          href={supportUrl}
          target="_blank"
          rel="noopener noreferrer"
          data-testid="support"
          className="inline-flex min-h-11 items-center font-semibold text-accent underline underline-offset-3"
        >
          <span>{t('problem.support')}</span> <span className="sr-only">{t('common.newTab')}</span>
        </a>
      )}
      {reference !== null && <Reference reference={reference} />}
    </div>
  )
}

function Reference({ reference }: { readonly reference: string }) {
  const { t } = useTranslations()
  const textRef = useRef<HTMLElement>(null)
  const copy = useCopy('common.copied')
  const name = t('problem.quote')
  return (
    <div data-testid="reference" className="grid max-w-full grid-cols-[minmax(0,1fr)] justify-items-center">
      <div className="flex items-center gap-1">
        <span>{name}</span>
        <CopyButton name={name} value={reference} textRef={textRef} copy={copy} />
      </div>
      <ReferenceText value={reference} ref={textRef} />
      <CopyRefused copy={copy} />
    </div>
  )
}
