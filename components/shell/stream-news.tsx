'use client'

import { useQueryClient } from '@tanstack/react-query'
import { keys } from '#lib/browser/queries.ts'
import { cashierStatusOf, STATUS_LOOKS } from '#lib/browser/transaction-status.ts'
import type { TransactionEvent } from '#lib/contract/stream.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { useFrame } from './frame.tsx'
import { useStreamEvents } from './page-runtime.tsx'
import { useWords } from './words.tsx'

/** Passes what happens on: to screen readers in words, to the merchant's page as it came. */
export function StreamNews() {
  const { t, decimal } = useWords()
  const announce = useAnnounce()
  const frame = useFrame()
  const cache = useQueryClient()

  const say = ({ kind, status, amount, currency_code: code }: TransactionEvent): void => {
    const word = t(STATUS_LOOKS[kind][cashierStatusOf(status)].word)
    announce(
      amount === null
        ? t('announce.onrampNoAmount', { code, status: word })
        : t(`announce.${kind}`, { amount: decimal(amount), code, status: word }),
    )
  }

  useStreamEvents((event) => {
    if (event.type !== 'transaction') return
    say(event.data)
    frame?.send({ type: 'transaction', transaction: event.data })
    // A settled payment moves money; where its balance event is lost on the way, the list still follows.
    if (event.data.status === 'succeeded') void cache.invalidateQueries({ queryKey: keys.balances })
  })
  return null
}
