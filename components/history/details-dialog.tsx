'use client'

import { Suspense, useRef, useState } from 'react'
import { explorerUrl } from '#lib/addresses/explorer.ts'
import type { HistoryItem } from '#lib/browser/history-items.ts'
import { withFiatDigits } from '#lib/i18n/fiat-digits.ts'
import { useNameOnNetwork } from '../context/use-name-on-network.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useNavigation } from '../context/navigation.tsx'
import { AskedAndPaid } from '../expectations/asked-and-paid.tsx'
import { Amount } from '../ui/amount.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { DetailField, PlainField } from '../ui/detail-field.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ExplorerLink } from '../ui/explorer-link.tsx'
import { focusStart } from '../ui/focus.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { NavLink } from '../ui/nav-link.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { Time } from '../ui/time.tsx'
import { Pill } from '../ui/tone.tsx'
import { useRowName } from './kind-and-day-names.ts'
import { paymentMethodName } from './payment-method-name.ts'

const WaitingWithdrawal = lazyPart(() => import('../waiting/waiting-withdrawal.tsx'))
const Receipt = lazyPart(() => import('./receipt.tsx'))

/** All fields of one transaction. `item` is null while the dialog is closed. */
export default function DetailsDialog({
  item,
  onClose,
}: {
  readonly item: HistoryItem | null
  readonly onClose: () => void
}) {
  const { t } = useTranslations()
  // While the dialog closes, it still shows the last item.
  const [shown, setShown] = useState(item)
  if (item && item !== shown) setShown(item)
  const [onPaper, setOnPaper] = useState(false)
  const [isOpen, setIsOpen] = useState(false)
  if (isOpen !== (item !== null)) {
    setIsOpen(!isOpen)
    if (!isOpen) setOnPaper(false)
  }
  return (
    <Dialog open={item !== null} title={t(onPaper ? 'receipt.title' : 'history.details')} onClose={onClose}>
      {shown &&
        (onPaper ? (
          <Suspense>
            <Receipt item={shown} />
          </Suspense>
        ) : (
          <Details item={shown} onReceipt={() => setOnPaper(true)} />
        ))}
    </Dialog>
  )
}

function Details({ item, onReceipt }: { readonly item: HistoryItem; readonly onReceipt: () => void }) {
  const { t, decimal } = useTranslations()
  const nameOnNetwork = useNameOnNetwork()
  const { supportUrl, flows, showsValues, explorer: template } = useSession()
  const { hrefOf, goTo } = useNavigation()
  const name = useRowName()(item)
  const { node, kind, amount, paid, display } = item
  const status = useRef<HTMLParagraphElement>(null)
  const continues = kind === 'onramp' && node.cashier_status === 'pending' && flows.includes('buy')
  const purchase = { currency: node.currency.id, purchase: node.session_reference ?? '' }
  const explorer = node.tx_hash === null ? null : explorerUrl(node.currency.network, node.tx_hash, template)
  return (
    <div className="@container min-h-40 overflow-y-auto overscroll-contain px-5 pb-5" data-testid="details">
      <p className="text-ink-2">{name}</p>
      <p className="text-xl font-semibold">
        <Amount {...amount} />
      </p>
      <p ref={status} tabIndex={-1} className="mt-1.5 mb-4 outline-none">
        <Pill tone={display.tone}>{t(display.label)}</Pill>
      </p>
      {node.cashier_status === 'pending' && node.wait && node.withdrawal_id !== undefined && (
        <div className="mb-4">
          <Suspense>
            <WaitingWithdrawal
              id={node.withdrawal_id}
              amount={amount.value}
              code={amount.code}
              wait={node.wait}
              onEnd={() => focusStart(status.current)}
            />
          </Suspense>
        </div>
      )}
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {node.user_message && <PlainField name={t('details.message')}>{node.user_message}</PlainField>}
        {node.failure_reason && node.failure_reason !== 'cancelled' && (
          <PlainField name={t('details.reason')}>{node.failure_reason}</PlainField>
        )}
        {paid && (
          <PlainField name={t('details.paid')}>
            <Amount {...paid} />
          </PlainField>
        )}
        {node.payment_method && (
          <PlainField name={t('details.method')}>{paymentMethodName(node.payment_method, t)}</PlainField>
        )}
        {node.asked_amount !== undefined && node.paid_amount !== undefined && (
          <AskedAndPaid asked={node.asked_amount} paid={node.paid_amount} code={node.currency.code} />
        )}
        {showsValues && node.amount_usd !== null && (
          <PlainField name={t('details.value')}>
            {t('details.valueUsd', { amount: decimal(withFiatDigits(node.amount_usd, 'USD')) })}
          </PlainField>
        )}
        <PlainField name={t('details.currency')}>{nameOnNetwork(node.currency.name, node.currency.network)}</PlainField>
        <DetailField name={t('details.to')} value={node.to_address} grouped />
        <DetailField name={t('details.from')} value={node.from_address} grouped />
        <DetailField name={t('details.hash')} value={node.tx_hash} />
        <PlainField name={t('details.created')}>
          <Time iso={node.inserted_at} style="date-time" />
        </PlainField>
        {node.updated_at !== null && node.updated_at !== node.inserted_at && (
          <PlainField name={t('details.updated')}>
            <Time iso={node.updated_at} style="date-time" />
          </PlainField>
        )}
        {node.completed_at !== null && (
          <PlainField name={t('details.completed')}>
            <Time iso={node.completed_at} style="date-time" />
          </PlainField>
        )}
        <DetailField name={t('details.transactionId')} value={node.transaction_uuid} />
        <DetailField name={t('details.withdrawalId')} value={node.withdrawal_id ?? null} />
        <DetailField name={t('details.sessionId')} value={node.session_reference ?? null} />
        <DetailField name={t('details.correlation')} value={node.correlation_key} />
        {node.cashier_status === 'other' && <PlainField name={t('details.rawStatus')}>{node.status}</PlainField>}
      </dl>
      {explorer !== null && (
        <p className="mt-4">
          <ExplorerLink href={explorer} label="details.explorer" />
        </p>
      )}
      {continues && (
        <p className="mt-4">
          <NavLink
            href={hrefOf('buy', purchase)}
            onGo={() => goTo('buy', purchase)}
            className={buttonClass('primary', 'w-full text-center')}
          >
            {t('details.continue')}
          </NavLink>
        </p>
      )}
      <p className="mt-4">
        <Button className="w-full" onClick={onReceipt} onPointerEnter={Receipt.preload} onFocus={Receipt.preload}>
          {t('receipt.title')}
        </Button>
      </p>
      <div className="mt-4">
        <SupportLink supportUrl={supportUrl} reference={null} />
      </div>
    </div>
  )
}
