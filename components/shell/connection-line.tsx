'use client'

import type { ConnectionPhase } from '#lib/browser/connection.ts'
import { useTimeText } from '../ui/time.tsx'
import { WholeEnd } from '../ui/whole-end.tsx'
import { useConnectionState } from './page-runtime.tsx'
import { useServiceAway } from './service-away.ts'
import { useTranslations } from '../context/translations.tsx'

const DOT: Readonly<Record<ConnectionPhase, string>> = {
  live: 'bg-ok',
  connecting: 'bg-ink-3',
  reconnecting: 'bg-wait',
  offline: 'bg-bad',
}

/** State of the live connection, and the time of the last update. Without the payment service it does not say "live". */
export function ConnectionLine() {
  const { t } = useTranslations()
  const { phase, checkedAt } = useConnectionState()
  const away = useServiceAway() && phase === 'live'
  const time = useTimeText()
  return (
    <p data-testid="connection" data-phase={phase} className="shown-whole flex items-center gap-2 text-xs text-ink-2">
      <span aria-hidden className={`size-[7px] shrink-0 rounded-full ${away ? 'bg-wait' : DOT[phase]}`} />
      <span suppressHydrationWarning>
        {t(`connection.${away ? 'connecting' : phase}`, { time: time(checkedAt, 'time') })}
      </span>
      <WholeEnd />
    </p>
  )
}
