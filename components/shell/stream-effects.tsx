'use client'

import { useQueryClient } from '@tanstack/react-query'
import { withdrawalQuery } from '#lib/browser/queries.ts'
import { cashierStatusOf, statusDisplay } from '#lib/browser/status-display.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { withoutTrailingZeros } from '#lib/i18n/short-decimal.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { useFrame } from './frame.tsx'
import { useBffClient, useStreamEvents } from '../context/page-runtime.tsx'
import { useTranslations } from '../context/translations.tsx'

/** Announces each transaction event to screen readers and sends it to the merchant's page. */
export function StreamEffects() {
  const { t, decimal } = useTranslations()
  const announce = useAnnounce()
  const frame = useFrame()
  const cache = useQueryClient()
  const client = useBffClient()

  /** An event has no reason. The reason is read, because a declined withdrawal is not announced as failed. */
  const reasonOf = async ({ kind, status, withdrawal_id: id }: TransactionEvent): Promise<string | null> => {
    if (kind !== 'payout' || status !== 'failed' || id === undefined) return null
    const withdrawal = await cache.query({ ...withdrawalQuery(client, id), staleTime: 0 }).catch(() => null)
    return withdrawal?.failure_reason ?? null
  }
  const announceTransaction = async (event: TransactionEvent): Promise<void> => {
    const { kind, amount, currency_code: code } = event
    const reason = await reasonOf(event)
    const status = t(statusDisplay(kind, cashierStatusOf(event.status), reason).label)
    announce(
      amount === null
        ? t('announce.onrampNoAmount', { code, status })
        : t(`announce.${kind}`, { amount: decimal(withoutTrailingZeros(amount)), code, status }),
    )
  }

  useStreamEvents((event) => {
    if (event.type !== 'transaction') return
    void announceTransaction(event.data)
    frame?.send({ type: 'transaction', transaction: event.data })
  })
  return null
}
