'use client'

import type { Catalogue } from '#lib/i18n/translator.ts'
import { FrameProvider } from './frame.tsx'
import { Looks } from './looks.tsx'
import { NoSession } from './no-session.tsx'
import SessionEnded from './session-ended.tsx'

/** The page of a session that is over, or of which this browser has no cookie. */
export default function NoSessionPage({
  ended,
  framed,
  catalogue,
  supportUrl,
  embedOrigins,
}: {
  readonly ended: boolean
  readonly framed: boolean
  readonly catalogue: Catalogue
  readonly supportUrl: string | null
  readonly embedOrigins: readonly string[]
}) {
  return (
    <FrameProvider embedOrigins={embedOrigins}>
      <Looks drawn={catalogue}>
        {ended ? <SessionEnded supportUrl={supportUrl} returnUrl={null} /> : <NoSession framed={framed} />}
      </Looks>
    </FrameProvider>
  )
}
