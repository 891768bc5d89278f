'use client'

import FileDown from 'lucide-react/icons/file-down'
import Printer from 'lucide-react/icons/printer'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { explorerUrl } from '#lib/addresses/explorer.ts'
import type { HistoryItem, SignedAmount } from '#lib/browser/history-items.ts'
import { addStyle, asDocument, printOnly } from '#lib/browser/print-part.ts'
import { areFilesGiven, saveFile } from '#lib/browser/save-file.ts'
import { withFiatDigits } from '#lib/i18n/fiat-digits.ts'
import { useNameOnNetwork } from '../context/use-name-on-network.ts'
import { useSession } from '../context/session.tsx'
import { useTranslations } from '../context/translations.tsx'
import { useLaterTranslations } from '../expectations/use-expectations.ts'
import { focusStart } from '../ui/focus.ts'
import { Button } from '../ui/button.tsx'
import { useTimeText } from '../ui/time.tsx'
import { useRowName } from './kind-and-day-names.ts'
import { paymentMethodName } from './payment-method-name.ts'
import { PRINT_CSS, RECEIPT_CSS } from './receipt-style.ts'

/** One transaction for paper: on the screen as it is printed, and saved by the browser. */
export default function Receipt({ item }: { readonly item: HistoryItem }) {
  const { t } = useTranslations()
  const paper = useRef<HTMLElement>(null)
  const reference = item.node.transaction_uuid ?? item.node.withdrawal_id ?? item.node.session_reference ?? ''
  const title = `${t('receipt.title')} ${reference}`.trim()
  useEffect(() => focusStart(paper.current), [])
  useEffect(() => addStyle(RECEIPT_CSS + PRINT_CSS), [])
  useEffect(() => (paper.current ? printOnly(paper.current, 'receipt-sheet', title) : undefined), [title])
  const save = (): void => {
    if (paper.current) saveFile(asDocument(paper.current, RECEIPT_CSS, title), `receipt-${reference}.html`)
  }
  return (
    <div className="@container min-h-40 overflow-y-auto overscroll-contain px-5 pb-5">
      <article ref={paper} tabIndex={-1} className="receipt outline-none" data-testid="receipt">
        <Paper item={item} />
      </article>
      <div className="mt-4 flex flex-wrap gap-2.5">
        {!areFilesGiven() && (
          <Button variant="primary" className="max-w-full flex-auto" onClick={() => window.print()}>
            <Printer aria-hidden size={18} />
            <span>{t('receipt.print')}</span>
          </Button>
        )}
        <Button className="max-w-full flex-auto" onClick={save}>
          <FileDown aria-hidden size={18} />
          <span>{t('receipt.save')}</span>
        </Button>
      </div>
    </div>
  )
}

type Row = readonly [name: string, value: ReactNode]

function Paper({ item }: { readonly item: HistoryItem }) {
  const { t, decimal } = useTranslations()
  const { merchantName, accountLabel, showsValues, explorer: template } = useSession()
  const later = useLaterTranslations()
  const nameOnNetwork = useNameOnNetwork()
  const rowName = useRowName()(item)
  const { node, amount, paid, display } = item
  const said = JSON.stringify(node)
  const [made, setMade] = useState(() => ({ said, at: new Date().toISOString() }))
  // The transaction may change while its receipt is open.
  if (made.said !== said) setMade({ said, at: new Date().toISOString() })
  const explorer = node.tx_hash === null ? null : explorerUrl(node.currency.network, node.tx_hash, template)
  const long = (value: string | null | undefined, ...more: readonly (string | null)[]): ReactNode =>
    value
      ? [value, ...more].map(
          (line) =>
            line !== null && (
              <div key={line}>
                <bdi className="long" dir="ltr" translate="no">
                  {line}
                </bdi>
              </div>
            ),
        )
      : null
  const { asked_amount: asked, paid_amount: sent } = node
  const amounts: readonly Row[] =
    later === null || asked === undefined || sent === undefined
      ? []
      : [
          [later.t('paid.asked'), <Money key="asked" value={asked} code={node.currency.code} />],
          [later.t('paid.sent'), <Money key="sent" value={sent} code={node.currency.code} />],
        ]
  const rows: readonly Row[] = [
    [t('details.status'), t(display.label)],
    ...amounts,
    [t('details.paid'), paid && <Money {...paid} />],
    [t('details.method'), node.payment_method ? paymentMethodName(node.payment_method, t) : null],
    [
      t('receipt.value'),
      showsValues &&
        node.amount_usd !== null &&
        t('details.valueUsd', { amount: decimal(withFiatDigits(node.amount_usd, 'USD')) }),
    ],
    [t('details.currency'), nameOnNetwork(node.currency.name, node.currency.network)],
    [t('details.from'), long(node.from_address)],
    [t('details.to'), long(node.to_address)],
    [t('details.hash'), long(node.tx_hash, explorer)],
    [t('details.created'), <PaperTime key="created" iso={node.inserted_at} />],
    [t('details.completed'), node.completed_at !== null && <PaperTime iso={node.completed_at} />],
    [t('details.transactionId'), long(node.transaction_uuid)],
    [t('details.withdrawalId'), long(node.withdrawal_id)],
    [t('details.sessionId'), long(node.session_reference)],
    [t('details.correlation'), long(node.correlation_key)],
  ]
  return (
    <>
      <header>
        <h2>
          <bdi>{merchantName ?? t('receipt.title')}</bdi>
        </h2>
        {merchantName !== undefined && <p className="small">{t('receipt.title')}</p>}
      </header>
      {accountLabel !== null && (
        <p className="small">
          <bdi>{accountLabel}</bdi>
        </p>
      )}
      <p className="sum">
        <Money {...amount} />
      </p>
      <p>{rowName}</p>
      <dl>
        {rows.map(
          ([name, value]) =>
            value !== null &&
            value !== false && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p className="small end">
        {`${t('receipt.asOf')} `}
        <PaperTime iso={made.at} />
      </p>
    </>
  )
}

function Money({ value, code, sign }: SignedAmount) {
  const { decimal } = useTranslations()
  return (
    <bdi dir="ltr" translate="no">
      {`${sign ? `${sign}\u00a0` : ''}${decimal(value)}\u00a0${code}`}
    </bdi>
  )
}

/** Paper leaves its time zone, so the time stands there in UTC too. */
function PaperTime({ iso }: { readonly iso: string }) {
  const time = useTimeText()
  const utc = new Date(iso).toISOString()
  return (
    <time dateTime={iso}>
      {`${time(iso, 'date-time')} `}
      <bdi dir="ltr" className="small">{`(${utc.slice(0, 10)} ${utc.slice(11, 19)} UTC)`}</bdi>
    </time>
  )
}
