'use client'

import type { ComparedField } from '#lib/contract/operate/decide.ts'
import { Pill } from '#components/ui/tone.tsx'
import { useConsoleText } from '../context/texts.tsx'
import { TimeText } from '../ui/time-text.tsx'

const TONES = { agree: 'ok', unknown: 'plain', differ: 'bad' } as const

/**
 * A payout beside a withdrawal, field by field; differences are marked, and said in words. Where it is narrow, each field
 * is a block. Roles are explicit, since a browser forgets those of a table that is displayed as blocks.
 */
export function ComparedTable({
  compared,
  code,
}: {
  readonly compared: readonly ComparedField[]
  readonly code: string
}) {
  const { t } = useConsoleText()
  return (
    <div className="@container">
      <table role="table" className="w-full border-collapse text-start text-s">
        <caption className="sr-only">{t('decide.compared')}</caption>
        <thead role="rowgroup" className="text-ink-2 @max-[32rem]:sr-only">
          <tr role="row">
            {(['decide.field', 'decide.ofPayout', 'decide.ofWithdrawal', 'decide.compared'] as const).map((key) => (
              <th key={key} role="columnheader" scope="col" className="py-1 pe-3 text-start font-medium">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {compared.map((row) => (
            <tr
              key={row.field}
              role="row"
              className="border-t border-line @max-[32rem]:grid @max-[32rem]:grid-cols-1 @max-[32rem]:py-2"
            >
              <th role="rowheader" scope="row" className="py-1 pe-3 text-start font-medium">
                {t(`decide.field.${row.field}`)}
              </th>
              <td role="cell" className="py-1 pe-3 break-all">
                <span className="text-ink-2 @min-[32rem]:sr-only">{t('decide.ofPayout')}: </span>
                <Value row={row} value={row.payout} code={code} />
              </td>
              <td role="cell" className="py-1 pe-3 break-all">
                <span className="text-ink-2 @min-[32rem]:sr-only">{t('decide.ofWithdrawal')}: </span>
                <Value row={row} value={row.withdrawal} code={code} />
              </td>
              <td role="cell" className="py-1">
                <Pill tone={TONES[row.is]}>
                  <Difference row={row} code={code} />
                </Pill>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
  if (row.field === 'time') return <TimeText iso={value} exactly />
  return (
    <span translate="no" className="tabular-nums">
      {row.field === 'amount' ? `${decimal(value)} ${code}` : value}
    </span>
  )
}

/** The difference in words. */
function Difference({ row, code }: { readonly row: ComparedField; readonly code: string }) {
  const { t, decimal } = useConsoleText()
  if (row.is === 'agree' && row.field === 'time')
    return row.seconds_before === null ? t('decide.is.after') : t('decide.is.before', { seconds: row.seconds_before })
  if (row.is !== 'differ') return t(`decide.is.${row.is}`)
  if (row.amount_over !== null) {
    const isLess = row.amount_over.startsWith('-')
    const amount = decimal(isLess ? row.amount_over.slice(1) : row.amount_over)
    return t(isLess ? 'decide.differs.less' : 'decide.differs.more', { amount, code })
  }
  if (row.seconds_before !== null) return t('decide.differs.before', { seconds: row.seconds_before })
  return t('decide.is.differ')
}
