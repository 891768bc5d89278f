'use client'

import { cashierStatusOf, STATUS_DISPLAY } from '#lib/browser/status-display.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { useFrame } from './frame.tsx'
import { useStreamEvents } from '../context/page-runtime.tsx'
import { useTranslations } from '../context/translations.tsx'

/** Announces each transaction event to screen readers and sends it to the merchant's page. */
export function StreamEffects() {
  const { t, decimal } = useTranslations()
  const announce = useAnnounce()
  const frame = useFrame()

  const announceTransaction = ({ kind, status, amount, currency_code: code }: TransactionEvent): void => {
    const statusText = t(STATUS_DISPLAY[kind][cashierStatusOf(status)].label)
    announce(
      amount === null
        ? t('announce.onrampNoAmount', { code, status: statusText })
        : t(`announce.${kind}`, { amount: decimal(amount), code, status: statusText }),
    )
  }

  useStreamEvents((event) => {
    if (event.type !== 'transaction') return
    announceTransaction(event.data)
    frame?.send({ type: 'transaction', transaction: event.data })
  })
  return null
}
