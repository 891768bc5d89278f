'use client'

import { useState, type ReactNode } from 'react'
import { useConnectionState } from '../context/page-runtime.tsx'
import { useTranslations } from '../context/translations.tsx'
import { PROBLEM_MESSAGES } from './problem-messages.ts'
import { problemDetails } from './problem-screen.tsx'
import { Notice } from './tone.tsx'

/**
 * Why a call failed that the user made. Mount it with the failure: "You are offline" ends when the connection comes back
 * after that.
 */
export function FailureNotice({ error, children }: { readonly error: unknown; readonly children?: ReactNode }) {
  const { t } = useTranslations()
  const { returns } = useConnectionState()
  const [returnsBefore] = useState(returns)
  const { code } = problemDetails(error)
  if (code === 'offline' && returns > returnsBefore) return null
  const { tone, title, body } = PROBLEM_MESSAGES[code]
  return (
    <Notice tone={tone} role="alert">
      <b className="font-semibold">{t(title)}</b>
      <p>{t(body)}</p>
      {children}
    </Notice>
  )
}
