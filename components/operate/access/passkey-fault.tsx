'use client'

import { Notice } from '#components/ui/tone.tsx'
import { passkeyFault, type PasskeyFault } from '#lib/browser/operate/passkeys.ts'
import { RequestFailure } from '#lib/browser/request-failure.ts'
import type { ConsoleKey } from '#lib/i18n/console-catalogue.ts'
import { useConsoleText } from '../context/texts.tsx'

const TEXTS: Readonly<Record<Exclude<PasskeyFault, 'other'>, ConsoleKey>> = {
  given_up: 'passkey.givenUp',
  known: 'passkey.known',
  not_here: 'passkey.notHere',
  refused: 'passkey.refused',
}

/** Why no passkey was created or used, and what to do. */
export function PasskeyFailure({ error }: { readonly error: unknown }) {
  const { t } = useConsoleText()
  const fault = passkeyFault(error)
  if (fault !== 'other')
    return (
      <Notice tone="bad" role="alert">
        {t(TEXTS[fault])}
      </Notice>
    )
  const details = error instanceof RequestFailure ? error.details : null
  return (
    <Notice tone="bad" role="alert">
      {details?.detail === undefined
        ? t('act.refusedPlain')
        : t('act.refused', { detail: details.detail, requestId: details.requestId ?? '' })}
    </Notice>
  )
}
