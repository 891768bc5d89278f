'use client'

import type { OutcomeEvidence } from '#lib/contract/operate/decide.ts'
import { useConsoleText } from '../context/texts.tsx'
import { LinkedId } from '../ui/linked-id.tsx'
import { TimeText } from '../ui/time-text.tsx'
import { ComparedTable } from './compared-table.tsx'

const SIDES = ['sent', 'not_sent', 'neither'] as const

/** What speaks for each outcome of an uncertain withdrawal; what speaks for one speaks against the other. */
export function EvidenceList({
  evidence,
  code,
}: {
  readonly evidence: readonly OutcomeEvidence[]
  readonly code: string
}) {
  const { t } = useConsoleText()
  return (
    <div className="grid gap-4 md:grid-cols-3">
      {SIDES.map((side) => {
        const found = evidence.filter(({ speaks_for }) => speaks_for === side)
        return (
          <section key={side} aria-label={t(`decide.speaks.${side}`)} className="min-w-0">
            <h3 className="text-s font-semibold">{t(`decide.speaks.${side}`)}</h3>
            {found.length === 0 && <p className="mt-1 text-s text-ink-2">{t('decide.speaks.nothing')}</p>}
            <ul className="mt-1 grid gap-2 text-s">
              {found.map((item) => (
                <EvidenceItem
                  key={`${item.code} ${item.transaction_uuid ?? ''} ${item.at ?? ''}`}
                  item={item}
                  code={code}
                />
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

function EvidenceItem({ item, code }: { readonly item: OutcomeEvidence; readonly code: string }) {
  const { t, decimal } = useConsoleText()
  const values = { amount: item.amount === null ? '' : decimal(item.amount), code, count: item.count ?? 0 }
  return (
    <li className="min-w-0 border-s-2 border-line ps-2.5">
      <p>
        {t(`decide.evidence.${item.code}`, values)}{' '}
        {item.at !== null && (
          <span className="text-ink-2">
            <TimeText iso={item.at} future={item.code === 'absence_not_due'} />
          </span>
        )}
      </p>
      {item.transaction_uuid !== null && (
        <LinkedId id={item.transaction_uuid} name={t('decide.payout')} page="payouts" />
      )}
      {item.compared.some(({ is }) => is === 'differ') && (
        <ComparedTable compared={item.compared.filter(({ is }) => is === 'differ')} code={code} />
      )}
    </li>
  )
}
