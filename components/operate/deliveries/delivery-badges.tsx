'use client'

import { Pill } from '#components/ui/tone.tsx'
import type { Tone } from '#lib/browser/status-display.ts'
import type { DeliveryState } from '#lib/contract/delivery-states.ts'
import { useConsoleText } from '../context/texts.tsx'

const TONES: Readonly<Record<DeliveryState, Tone>> = { waiting: 'plain', failing: 'wait', dead: 'bad', delivered: 'ok' }

export function DeliveryStateBadge({ state, sending }: { readonly state: DeliveryState; readonly sending: boolean }) {
  const { t } = useConsoleText()
  return <Pill tone={TONES[state]}>{sending ? t('deliveries.sending') : t(`deliveries.state.${state}`)}</Pill>
}

const FAULTS = ['connect', 'tls', 'timeout', 'broken'] as const
const faultOf = (outcome: string) => FAULTS.find((fault) => fault === outcome)

/** The HTTP status of a reply, or why none came. */
export function OutcomeText({ outcome }: { readonly outcome: string }) {
  const { t } = useConsoleText()
  const fault = faultOf(outcome)
  const isGood = outcome.startsWith('2')
  return (
    <span translate="no" className={`font-semibold tabular-nums ${isGood ? 'text-ok' : 'text-bad'}`}>
      {fault === undefined ? outcome : t(`deliveries.fault.${fault}`)}
    </span>
  )
}
