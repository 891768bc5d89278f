'use client'

import ExternalLink from 'lucide-react/icons/external-link'
import { useTranslations } from '../context/translations.tsx'

/** Opens the page of a transaction in an explorer, in a new tab. */
export function ExplorerLink({
  href,
  label,
  className = '',
}: {
  readonly href: string
  readonly label: 'deposit.explorer' | 'details.explorer'
  readonly className?: string
}) {
  const { t } = useTranslations()
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={`inline-flex min-h-11 items-center gap-1 font-semibold text-accent ${className}`}
    >
      <span>{t(label)}</span>
      <ExternalLink aria-hidden size={14} />
      <span className="sr-only">{t('common.newTab')}</span>
    </a>
  )
}
