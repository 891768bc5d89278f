'use client'

import type { Catalogue } from '#lib/i18n/translator.ts'
import { FrameProvider } from './frame.tsx'
import { AppearanceProvider } from './appearance.tsx'
import SessionEnded from './session-ended.tsx'

/** For a session that ended during the render. Otherwise a static page says so (lib/server/runtime/static-pages). */
export default function NoSessionPage({
  catalogue,
  supportUrl,
  returnUrl,
  embedOrigins,
}: {
  readonly catalogue: Catalogue
  readonly supportUrl: string | null
  readonly returnUrl: string | null
  readonly embedOrigins: readonly string[]
}) {
  return (
    <FrameProvider embedOrigins={embedOrigins}>
      <AppearanceProvider rendered={catalogue}>
        <SessionEnded supportUrl={supportUrl} returnUrl={returnUrl} />
      </AppearanceProvider>
    </FrameProvider>
  )
}
