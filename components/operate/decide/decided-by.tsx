'use client'

import { useConsoleText } from '../context/texts.tsx'
import { TimeText } from '../ui/time-text.tsx'

/** Who did it, such as `operator:Alice`, `merchant`, `merchant:back office` or `system`; what was done, and when. */
export function DecidedBy({
  did,
  by,
  at,
}: {
  /** `owner`: said whose a payout is. */
  readonly did: 'approved' | 'declined' | 'applied' | 'dismissed' | 'settled' | 'owner'
  readonly by: string
  readonly at: string
}) {
  const { t } = useConsoleText()
  const [who = '', ...name] = by.split(':')
  return (
    <>
      {t('decide.decidedBy', {
        who: name.length > 0 && who === 'merchant' ? 'key' : who,
        did: t(`decide.did.${did}`),
        name: name.join(':'),
      })}{' '}
      <TimeText iso={at} />
    </>
  )
}
