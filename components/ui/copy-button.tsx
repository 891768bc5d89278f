'use client'

import Check from 'lucide-react/icons/check'
import CopyIcon from 'lucide-react/icons/copy'
import type { RefObject } from 'react'
import { useTranslations } from '../context/translations.tsx'
import type { Copy } from './use-copy.ts'

/** Copies the value beside it. */
export function CopyButton({
  name,
  value,
  textRef,
  copy: { outcome, copy },
}: {
  /** What the value is. */
  readonly name: string
  readonly value: string
  /** The element that shows it. */
  readonly textRef: RefObject<HTMLElement | null>
  readonly copy: Copy
}) {
  const { t } = useTranslations()
  return (
    <button
      type="button"
      aria-label={t('details.copyField', { field: name })}
      onClick={() => {
        if (textRef.current) void copy(value, textRef.current)
      }}
      className="-my-2.5 grid size-11 shrink-0 place-items-center rounded-small text-ink-2 hover:bg-sunken"
    >
      {outcome === 'copied' ? <Check aria-hidden size={16} className="text-ok" /> : <CopyIcon aria-hidden size={16} />}
    </button>
  )
}

/** Tells the user what to do if the browser refused to copy. */
export function CopyRefused({
  copy: { outcome },
  className = '',
}: {
  readonly copy: Copy
  readonly className?: string
}) {
  const { t } = useTranslations()
  return outcome === 'selected' && <p className={`text-s text-ink-2 ${className}`}>{t('common.copySelected')}</p>
}
