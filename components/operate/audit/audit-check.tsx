'use client'

import type { UseMutationResult } from '@tanstack/react-query'
import { Notice } from '#components/ui/tone.tsx'
import type { AuditCheck } from '#lib/contract/operate/audit.ts'
import { useConsoleText } from '../context/texts.tsx'
import { IdText } from '../ui/id-text.tsx'
import { ActFailure } from '../ui/reason-dialog.tsx'

/** What the check of the chain has found. */
export function AuditCheckResult({
  check: { data, error, isPending },
}: {
  readonly check: Pick<UseMutationResult<AuditCheck>, 'data' | 'error' | 'isPending'>
}) {
  const { t } = useConsoleText()
  if (isPending)
    return (
      <p role="status" className="mb-4 text-s text-ink-2">
        {t('audit.checking')}
      </p>
    )
  if (error !== null)
    return (
      <div className="mb-4">
        <ActFailure error={error} />
      </div>
    )
  if (data === undefined) return null
  const { fault, entries, hash, erased } = data
  return (
    <div className="mb-4">
      <Notice tone={fault === null ? 'ok' : 'bad'} role={fault === null ? 'status' : 'alert'}>
        <p className="font-semibold">
          {fault === null
            ? t('audit.whole', { count: entries })
            : t('audit.broken', { seq: String(fault.seq), what: fault.what })}
        </p>
        {fault !== null && <p>{t('audit.brokenHelp')}</p>}
        {erased > 0 && <p>{t('audit.wholeErased', { count: erased })}</p>}
        {hash !== '' && (
          <p className="text-ink-2">
            {t('audit.end')} <IdText short id={`${String(entries)}:${hash}`} name={t('audit.end')} />
          </p>
        )}
      </Notice>
    </div>
  )
}
