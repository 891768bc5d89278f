'use client'

import type { Catalogue } from '#lib/i18n/translator.ts'
import { FrameProvider } from './frame.tsx'
import { AppearanceProvider } from './appearance.tsx'
import SessionEnded from './session-ended.tsx'

/** For a session that ended during the render. Otherwise a static page says so (lib/server/runtime/static-pages). */
export default function NoSessionPage({
  catalogue,
  supportUrl,
  ended,
  embedOrigins,
}: {
  readonly catalogue: Catalogue
  readonly supportUrl: string | null
  /** Null if the session is unknown. */
  readonly ended: { readonly returnUrl: string | null; readonly merchantName: string | null } | null
  readonly embedOrigins: readonly string[]
}) {
  return (
    <FrameProvider embedOrigins={embedOrigins}>
      <AppearanceProvider rendered={catalogue}>
        <SessionEnded
          supportUrl={supportUrl}
          returnUrl={ended?.returnUrl ?? null}
          merchantName={ended?.merchantName ?? undefined}
        />
      </AppearanceProvider>
    </FrameProvider>
  )
}
