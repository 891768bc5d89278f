'use client'

import type { Catalogue } from '#lib/i18n/translator.ts'
import { FrameProvider } from './frame.tsx'
import { AppearanceProvider } from './appearance.tsx'
import { CookiesBlocked } from './cookies-blocked.tsx'
import SessionEnded from './session-ended.tsx'

/**
 * The page of a session that has ended, or whose cookie this browser does not have: that is an ended one too, but in a
 * frame, where the browser may block cookies.
 */
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
        {framed && !ended ? <CookiesBlocked /> : <SessionEnded supportUrl={supportUrl} returnUrl={null} />}
      </AppearanceProvider>
    </FrameProvider>
  )
}
