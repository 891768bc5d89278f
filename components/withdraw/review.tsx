'use client'

import { useEffect, useRef, type ReactNode } from 'react'
import type { Currency } from '#lib/contract/cashier.ts'
import type { RequestFailure } from '#lib/browser/request-failure.ts'
import { useSession } from '../shell/session.tsx'
import { useWords } from '../shell/words.tsx'
import { AddressText } from '../ui/address-text.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button } from '../ui/button.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { Notice } from '../ui/tone.tsx'
import { failureWords } from './request-words.ts'
import { useSeenButton } from './seen-button.ts'
import type { Order } from './withdraw-form.tsx'

/** The last look before money moves: everything in full, one button that sends. */
export default function Review({
  currency,
  order,
  sending,
  failure,
  onBack,
  onSend,
}: {
  readonly currency: Currency
  readonly order: Order
  readonly sending: boolean
  readonly failure: RequestFailure | null
  readonly onBack: () => void
  readonly onSend: () => void
}) {
  const { t, decimal } = useWords()
  const { supportUrl } = useSession()
  const title = useRef<HTMLHeadingElement>(null)
  const { ref: confirm, warned, waiting, admit } = useSeenButton()
  useEffect(() => title.current?.focus(), [])
  const { currency_code: code, network } = currency
  const words = failure && failureWords(failure.code)
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3.5" data-testid="withdraw-review">
      <h2 ref={title} tabIndex={-1} className="text-l font-semibold outline-none">
        {t('withdraw.check.title')}
      </h2>
      <dl className="grid gap-3 rounded-card border border-line p-3.5">
        <Line name={t('withdraw.check.send')}>
          <span className="text-xl font-semibold">
            <Amount value={order.amount} code={code} />
          </span>
        </Line>
        <Line name={t('withdraw.check.network')}>
          <b className="font-semibold">{network}</b>
        </Line>
        <Line name={t('withdraw.check.to')}>
          <AddressText address={order.address} />
        </Line>
      </dl>
      <Notice tone="wait">{t('withdraw.check.warning')}</Notice>
      {warned && (
        <Notice tone="wait" role="alert">
          {t('withdraw.check.covered')}
        </Notice>
      )}
      {failure && words && (
        <Notice tone={words.tone} role="alert">
          <p>{t(words.word)}</p>
          <SupportLink supportUrl={supportUrl} reference={failure.facts.requestId} />
        </Notice>
      )}
      <div className="flex gap-2.5">
        <Button className="flex-1" disabled={sending} onClick={onBack}>
          {t('common.back')}
        </Button>
        <Button
          ref={confirm}
          look="primary"
          className="flex-[1.6] text-balance"
          busy={sending || waiting}
          onClick={() => admit() && onSend()}
        >
          {sending ? t('withdraw.check.sending') : t('withdraw.check.confirm', { amount: decimal(order.amount), code })}
        </Button>
      </div>
    </section>
  )
}

const Line = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
    <dt className="text-s text-ink-2">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
)
