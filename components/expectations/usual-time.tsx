'use client'

import type { UsualTime as Time } from '#lib/contract/cashier.ts'
import { durationText } from '#lib/i18n/duration-text.ts'
import type { LaterKey } from '#lib/i18n/translator.ts'
import { useSession } from '../context/session.tsx'
import type { Translations } from '../context/translations.tsx'
import { SupportLink } from '../ui/support-link.tsx'
import { Notice } from '../ui/tone.tsx'
import { useIsPast } from '../ui/use-is-past.ts'
import { useExpectation, useLaterTranslations, type CurrencyName } from './use-expectations.ts'

/** Shorter than this, a number would say more than is known. */
const MOMENTS_S = 10

/** "Usually about 3 minutes." */
export const usualTimeText = ({ usual_s }: Time, { t, locale }: Translations<LaterKey>): string =>
  usual_s < MOMENTS_S ? t('time.moments') : t('time.usually', { time: durationText(usual_s, locale) })

const LONGER = { deposit: 'time.longerDeposit', withdrawal: 'time.longerPayout' } as const

/**
 * While one waits: how long it usually takes; after nine of ten are through, that this one takes longer, and what to
 * do. Nothing where too little is known.
 */
export function WaitingTime({
  kind,
  of,
  since,
  reference,
}: {
  readonly kind: keyof typeof LONGER
  readonly of: CurrencyName
  /** Since when one waits, ISO 8601. */
  readonly since: string
  /** For support. */
  readonly reference: string | null
}) {
  const { supportUrl } = useSession()
  const later = useLaterTranslations()
  const time = useExpectation(of)?.[kind].time
  const lateAt = time === undefined ? null : new Date(Date.parse(since) + time.nine_of_ten_s * 1000).toISOString()
  const isLate = useIsPast(lateAt)
  if (later === null || time === undefined) return null
  if (!isLate)
    return (
      <p className="text-s text-ink-2" data-testid="usual-time">
        {usualTimeText(time, later)}
      </p>
    )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1" data-testid="longer">
      <Notice tone="wait" role="status">
        {later.t(LONGER[kind])}
      </Notice>
      <SupportLink supportUrl={supportUrl} reference={reference} />
    </div>
  )
}
