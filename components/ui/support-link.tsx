'use client'

import { useWords } from '../shell/words.tsx'

/** The merchant's support, one press away, with the reference that support asks for. */
export function SupportLink({
  supportUrl,
  reference,
}: {
  readonly supportUrl: string | null
  readonly reference: string | null
}) {
  const { t } = useWords()
  if (supportUrl === null && reference === null) return null
  return (
    <p className="grid justify-items-center gap-1 text-s text-ink-2">
      {supportUrl !== null && (
        <a
          href={supportUrl}
          target="_blank"
          rel="noopener noreferrer"
          data-testid="support"
          className="inline-flex min-h-6 items-center font-semibold text-accent underline underline-offset-3"
        >
          {t('problem.support')} <span className="sr-only">{t('common.newTab')}</span>
        </a>
      )}
      {reference !== null && (
        <span data-testid="reference" className="select-all break-all">
          {t('problem.quote', { reference })}
        </span>
      )}
    </p>
  )
}
