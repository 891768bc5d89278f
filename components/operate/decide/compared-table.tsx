'use client'

import type { ComparedField } from '#lib/contract/operate/decide.ts'
import { Pill } from '#components/ui/tone.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { TimeText } from '../ui/time-text.tsx'

const TONES = { agree: 'ok', unknown: 'plain', differ: 'bad' } as const

/** A payout beside a withdrawal, field by field; differences are marked, and said in words. */
export function ComparedTable({
  compared,
  code,
}: {
  readonly compared: readonly ComparedField[]
  readonly code: string
}) {
  const { t } = useConsoleText()
  return (
    <table className="w-full border-collapse text-start text-s">
      <caption className="sr-only">{t('decide.compared')}</caption>
      <thead className="text-ink-2 max-sm:sr-only">
        <tr>
          {(['decide.field', 'decide.ofPayout', 'decide.ofWithdrawal', 'decide.compared'] as const).map((key) => (
            <th key={key} scope="col" className="py-1 pe-3 text-start font-medium">
              {t(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {compared.map((row) => (
          <tr key={row.field} className="border-t border-line max-sm:grid max-sm:grid-cols-1 max-sm:py-2">
            <th scope="row" className="py-1 pe-3 text-start font-medium">
              {t(`decide.field.${row.field}`)}
            </th>
            <td className="py-1 pe-3 break-all" data-label={t('decide.ofPayout')}>
              <span className="text-ink-2 sm:sr-only">{t('decide.ofPayout')}: </span>
              <Value row={row} value={row.payout} code={code} />
            </td>
            <td className="py-1 pe-3 break-all">
              <span className="text-ink-2 sm:sr-only">{t('decide.ofWithdrawal')}: </span>
              <Value row={row} value={row.withdrawal} code={code} />
            </td>
            <td className="py-1">
              <Pill tone={TONES[row.is]}>
                <Difference row={row} code={code} />
              </Pill>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({
  row,
  value,
  code,
}: {
  readonly row: ComparedField
  readonly value: string | null
  readonly code: string
}) {
  const { t, decimal } = useConsoleText()
  if (value === null) return <span className="text-ink-2">{t('decide.notTold')}</span>
  if (row.field === 'time') return <TimeText iso={value} />
  return (
    <span translate="no" className="tabular-nums">
      {row.field === 'amount' ? `${decimal(value)} ${code}` : value}
    </span>
  )
}

/** The difference in words. */
function Difference({ row, code }: { readonly row: ComparedField; readonly code: string }) {
  const { t, decimal } = useConsoleText()
  if (row.is !== 'differ') return t(`decide.is.${row.is}`)
  if (row.amount_over !== null) {
    const isLess = row.amount_over.startsWith('-')
    const amount = decimal(isLess ? row.amount_over.slice(1) : row.amount_over)
    return t(isLess ? 'decide.differs.less' : 'decide.differs.more', { amount, code })
  }
  if (row.seconds_before !== null) return t('decide.differs.before', { seconds: row.seconds_before })
  return t('decide.is.differ')
}
