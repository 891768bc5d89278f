'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { liveKey } from '#lib/browser/live-transactions.ts'
import { withdrawalQuery } from '#lib/browser/queries.ts'
import { cashierStatusOf, statusDisplay } from '#lib/browser/status-display.ts'
import type { Withdrawal, WithdrawalStatus } from '#lib/contract/cashier.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { withoutTrailingZeros } from '#lib/i18n/short-decimal.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { useFrame } from './frame.tsx'
import { useBffClient, useStreamEvents } from '../context/page-runtime.tsx'
import { useTranslations } from '../context/translations.tsx'

const DETAILED: readonly string[] = ['failed', 'pending_authorization'] satisfies WithdrawalStatus[]

/** Announces each change of a transaction to screen readers and sends each event to the merchant's page. */
export function StreamEffects() {
  const { t, decimal } = useTranslations()
  const announce = useAnnounce()
  const frame = useFrame()
  const cache = useQueryClient()
  const client = useBffClient()
  /** By transaction. A withdrawal has two events of one status: the cashier's own and the gateway's. */
  const announced = useRef(new Map<string, string>())

  /** What an event does not say: whether it failed because somebody declined or cancelled it, and for what it waits. */
  const detailsOf = async ({ kind, status, withdrawal_id: id }: TransactionEvent): Promise<Withdrawal | null> => {
    if (kind !== 'payout' || !DETAILED.includes(status) || id === undefined) return null
    return cache.query({ ...withdrawalQuery(client, id), staleTime: 0 }).catch(() => null)
  }
  const announceTransaction = async (event: TransactionEvent): Promise<void> => {
    const { kind, amount, currency_code: code } = event
    const details = await detailsOf(event)
    const display = statusDisplay(
      kind,
      cashierStatusOf(event.status),
      details?.failure_reason ?? null,
      details?.awaits_decision === false,
    )
    const status = t(display.label)
    const text =
      amount === null
        ? t('announce.onrampNoAmount', { code, status })
        : t(`announce.${kind}`, { amount: decimal(withoutTrailingZeros(amount)), code, status })
    const key = liveKey(event)
    if (announced.current.get(key) === text) return
    announced.current.set(key, text)
    announce(text)
  }

  useStreamEvents((event) => {
    if (event.type !== 'transaction') return
    void announceTransaction(event.data)
    frame?.send({ type: 'transaction', transaction: event.data })
  })
  return null
}
