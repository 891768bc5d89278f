'use client'

import { useConsoleText } from '../context/texts.tsx'
import { TimeText } from '../ui/time-text.tsx'

/** Who decided, such as `operator:Alice`, `merchant`, `merchant:back office` or `system`; and when. */
export function DecidedBy({ by, at }: { readonly by: string; readonly at: string }) {
  const { t } = useConsoleText()
  const [who = '', ...name] = by.split(':')
  return (
    <>
      {t('decide.decidedBy', { who: name.length > 0 && who === 'merchant' ? 'key' : who, name: name.join(':') })}{' '}
      <TimeText iso={at} />
    </>
  )
}
