'use client'

import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/tone.tsx'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import { useConsoleText } from '../context/texts.tsx'

/** Data that could not be loaded, with a way to try again. */
export function LoadingFailure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const { t } = useConsoleText()
  const details = error instanceof RequestFailure ? error.details : null
  return (
    <Notice tone="bad" role="alert">
      <p className="font-semibold">{t('console.failed')}</p>
      {details?.detail !== undefined && <p>{details.detail}</p>}
      {details?.requestId != null && (
        <p className="text-ink-2">{t('console.failedHelp', { requestId: details.requestId })}</p>
      )}
      <Button variant="chip" className="mt-2" onClick={retry}>
        {t('console.retry')}
      </Button>
    </Notice>
  )
}
