'use client'

import type { Catalogue } from '#lib/i18n/translator.ts'
import { FrameProvider } from './frame.tsx'
import { AppearanceProvider } from './appearance.tsx'
import { NoSession } from './no-session.tsx'
import SessionEnded from './session-ended.tsx'

/** The page of a session that has ended, or whose cookie this browser does not have. */
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
      <AppearanceProvider rendered={catalogue}>
        {ended ? <SessionEnded supportUrl={supportUrl} returnUrl={null} /> : <NoSession framed={framed} />}
      </AppearanceProvider>
    </FrameProvider>
  )
}
