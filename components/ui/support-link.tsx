'use client'

import { useTranslations } from '../context/translations.tsx'

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
